// Making elements. Whatever comes from crawled pages goes in as text, never as markup.

export const $ = (id) => document.getElementById(id);

export function el(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

// As in the report, what is not seen, or turns the writing round, is named.
const UNSEEN = new RegExp(document.documentElement.dataset.unseen, "gu");
const name = (found) => `⟨U+${found.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
export const visible = (text) => text.replace(UNSEEN, name);

// A foreign text, kept from turning its surroundings round.
export const foreign = (text) => el("bdi", {}, visible(text));

// A link that tells the other side nothing; an address that is not of the web stays text.
export function link(address) {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return foreign(address);
  const words = { href: address, target: "_blank", rel: "noopener noreferrer" };
  return el("a", words, foreign(address));
}

export const share = (number) => number.toFixed(2);
export const percent = (number, digits = 1) => `${(100 * number).toFixed(digits)}\u00a0%`;
export const count = (number, one, many = `${one}s`) =>
  `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
