// The list of records: one page of what the filter lets through.

import { $, el, foreign, share } from "./dom.js";

const MARKS = { right: "✓", wrong: "✕", unsure: "?" };

export function fill(page, choose) {
  $("records").replaceChildren(
    ...page.records.map((record, index) => el("li", {}, row(record, () => choose(index)))),
  );
  const last = page.before + page.records.length;
  const span = `${(page.before + 1).toLocaleString("en")}–${last.toLocaleString("en")}`;
  $("place").textContent = page.total
    ? `Records ${span} of ${page.total.toLocaleString("en")}`
    : "No record fits";
  $("page-before").disabled = page.before === 0;
  $("page-after").disabled = last >= page.total;
}

function row(record, choose) {
  const across = record.host === record.of_host ? "" : ` ← ${record.of_host}`;
  return el(
    "button",
    { type: "button", onclick: choose, title: record.url },
    el("span", { class: "similarity" }, share(record.similarity)),
    el(
      "span",
      { class: "name" },
      el("span", { class: "path" }, foreign(path(record.url))),
      el("small", {}, foreign(record.host), across && foreign(across)),
    ),
    el("span", { class: "mark" }),
  );
}

function path(address) {
  if (!URL.canParse(address)) return address;
  const { pathname, search } = new URL(address);
  try {
    return decodeURI(pathname + search);
  } catch {
    return pathname + search;
  }
}

const button = (index) => $("records").children[index]?.firstElementChild;

export function mark(index, verdict) {
  const found = button(index);
  if (!found) return;
  found.dataset.verdict = verdict ?? "";
  const sign = found.querySelector(".mark");
  sign.textContent = MARKS[verdict] ?? "";
  if (verdict) sign.setAttribute("aria-label", `judged ${verdict}`);
  else sign.removeAttribute("aria-label");
}

export function select(index, focus) {
  for (const one of $("records").querySelectorAll("[aria-current]")) {
    one.removeAttribute("aria-current");
  }
  const found = button(index);
  if (!found) return;
  found.setAttribute("aria-current", "true");
  if (!$("browse").open) return;
  if (focus) found.focus({ preventScroll: true });
  const list = $("records"); // scrolled by itself, so that the window stays where it is
  const { offsetTop, offsetHeight } = found.parentElement;
  if (offsetTop < list.scrollTop) list.scrollTop = offsetTop;
  const under = offsetTop + offsetHeight - list.clientHeight;
  if (under > list.scrollTop) list.scrollTop = under;
}
