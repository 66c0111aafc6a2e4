// The two pages of a record, side by side: what each has alone is marked.

import { $, count, el, foreign, link, percent, share, visible } from "./dom.js";

const AROUND = 1; // paragraphs shown next to a difference
let folded = true;
let shown = null;

export function show(record) {
  shown = record;
  draw();
  $("pair").scrollTop = 0;
  if (matchMedia("(max-width: 50rem)").matches) scrollTo(0, 0);
}

// The number of the record that is shown; none after clear().
export const number = () => shown?.number;

// By windows, wherever the focus is; on a narrow page the window scrolls.
export function scroll(windows) {
  for (const one of [$("pair"), window]) one.scrollBy(0, 0.85 * windows * Math.min(innerHeight, $("pair").clientHeight));
}

export function toggle() {
  folded = !folded;
  if (shown) draw();
  return folded ? "What is the same is folded" : "Both texts are shown whole";
}

export function clear(message) {
  shown = null;
  $("pair").replaceChildren(el("p", { class: "empty" }, message));
}

function draw() {
  const rows = folded ? fold(shown.rows) : shown.rows.map(([left, right]) => ({ left, right }));
  const height = `1 / span ${rows.length + 1}`;
  const sides = [
    side("original", "Repeated page", shown.of, shown.of_lang, shown.of_has_text, rows, "left"),
    side("dropped", shown.action === "keep" ? "Kept page" : "Dropped page", shown.url, shown.lang, shown.has_text, rows, "right"),
  ];
  for (const one of sides) one.style.gridRow = height;
  $("pair").replaceChildren(facts(), ...problem(), el("div", { class: "sides" }, ...sides));
}

function facts() {
  const pairs = [
    ["similarity", share(shown.similarity)],
    ["differing bits", shown.distance],
    ["containment", shown.containment === null ? null : share(shown.containment)],
    ["words", `${shown.of_tokens.toLocaleString("en")} | ${shown.tokens.toLocaleString("en")}`],
    ["hosts", shown.host === shown.of_host ? "one" : "two"],
    ["relation", shown.relation],
    ["new", shown.new === null ? null : `${percent(shown.new, 0)}, ${(shown.new_words ?? 0).toLocaleString("en")} words`],
    ["action", shown.action],
    ["time", shown.time.replace("T", " ").replace("+00:00", " UTC")],
  ].filter(([, value]) => value !== null);
  return el(
    "dl",
    { class: "facts" },
    ...pairs.map(([name, value]) =>
      el("div", {}, el("dt", {}, name), el("dd", {}, foreign(String(value)))),
    ),
  );
}

function problem() {
  return shown.problem ? [el("p", { class: "problem" }, foreign(shown.problem))] : [];
}

function side(name, title, address, lang, kept, rows, which) {
  const head = el("header", {}, el("h2", {}, title), el("p", { class: "url" }, link(address)));
  const cells = rows.map((row) => (row.fold ? folding(row, which) : cell(row[which], which, lang)));
  const body = kept ? cells : [el("p", { class: "empty" }, missing(which))];
  return el("section", { class: name, "aria-label": title }, head, ...body);
}

function missing(which) {
  if (shown.problem) return "No text.";
  return which === "left"
    ? "The text of this page was not kept. NEARDUP_KEEP_TEXT keeps it with each page; until then, open the page itself."
    : "The log has no text of this page. Open the page itself.";
}

function cell(pieces, which, lang) {
  const changed = pieces.some(([, same]) => !same);
  const kind = which === "left" ? "del" : "ins";
  const texts = pieces.map(([text, same]) => (same ? visible(text) : el(kind, {}, visible(text))));
  const words = { class: changed ? "text changed" : "text", lang, dir: "auto" };
  return el("p", words, ...texts);
}

function folding(row, which) {
  const text = `${count(row.fold, "paragraph")} the same`;
  const open = () => {
    folded = false;
    draw();
  };
  const words = { type: "button", class: "fold", onclick: open };
  if (which === "right") Object.assign(words, { "aria-hidden": "true", tabindex: "-1" });
  return el("button", words, `⋯ ${text}`);
}

// Long runs of equal paragraphs become one row that tells how many they are.
function fold(rows) {
  const equal = rows.map(
    ([left, right]) => left.every(([, same]) => same) && right.every(([, same]) => same) && left.length === right.length,
  );
  const near = rows.map((_, at) => equal.slice(Math.max(0, at - AROUND), at + AROUND + 1).includes(false));
  if (!near.includes(true)) return rows.map(([left, right]) => ({ left, right }));
  const result = [];
  for (let at = 0; at < rows.length; ) {
    let end = at;
    while (end < rows.length && !near[end]) end += 1;
    if (end - at > 1) {
      result.push({ fold: end - at });
      at = end;
    } else {
      const [left, right] = rows[at];
      result.push({ left, right });
      at += 1;
    }
  }
  return result;
}
