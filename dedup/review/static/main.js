// The page: its state, and what keys and buttons do to it. One thing is done at a time, in order.

import * as api from "./api.js";
import { $ } from "./dom.js";
import * as list from "./list.js";
import * as pair from "./pair.js";
import * as standing from "./standing.js";

const KEPT = 30; // records in memory
let page = { records: [], before: 0, total: 0 };
let at = 0;
const done = []; // verdicts that can be undone, the last one at the end
const loaded = new Map();
let queue = Promise.resolve();

const say = (text) => ($("status").textContent = text);

function run(action) {
  queue = queue.then(action).catch((error) => say(`Not done: ${error.message}`));
}

function words() {
  const form = new FormData($("filter"));
  return Object.fromEntries([...form].filter(([, value]) => value !== ""));
}

async function open(beside = {}) {
  const next = await api.page({ ...words(), ...beside });
  if (next.records.length === 0 && Object.keys(beside).length) return false;
  page = next;
  list.fill(page, (index) => run(() => choose(index, true)));
  page.records.forEach((record, index) => list.mark(index, record.verdict));
  return true;
}

function load(number) {
  if (!loaded.has(number)) {
    const promise = api.record(number);
    const forget = () => loaded.delete(number); // to be asked for again
    promise.then((record) => record.problem && forget(), forget);
    loaded.set(number, promise);
    if (loaded.size > KEPT) loaded.delete(loaded.keys().next().value);
  }
  return loaded.get(number);
}

async function choose(index, focus = true) {
  at = index;
  const record = page.records[at];
  if (!record) {
    pair.clear("No record fits this filter.");
    press(null, false);
    return;
  }
  list.select(at, focus);
  press(record.verdict);
  try {
    pair.show(await load(record.number));
  } catch (error) {
    const problem = `This record cannot be shown: ${error.message}`;
    pair.clear(problem);
    press(record.verdict, false);
    say(problem);
  }
  const next = page.records[at + 1];
  if (next) load(next.number).catch(() => {});
}

function press(verdict, usable = true) {
  for (const button of document.querySelectorAll("[data-verdict][aria-pressed]")) {
    button.setAttribute("aria-pressed", String(button.dataset.verdict === verdict));
    button.disabled = !usable;
  }
}

async function move(step) {
  const to = at + step;
  if (page.records[to]) return choose(to);
  const edge = step > 0 ? page.records.at(-1) : page.records[0];
  if (edge && (await open({ [step > 0 ? "after" : "before"]: edge.number }))) {
    return choose(step > 0 ? 0 : page.records.length - 1);
  }
  say(step > 0 ? "That was the last record." : "This is the first record.");
}

async function store(record, verdict) {
  const answer = await api.judge(record.number, verdict);
  record.verdict = verdict;
  const index = page.records.indexOf(record);
  list.mark(index, verdict);
  if (index === at) press(verdict);
  standing.show(answer.standing);
  return answer.before;
}

async function judge(verdict) {
  const record = page.records[at];
  if (!record) return;
  if (pair.number() !== record.number) throw new Error("no pair is shown that could be judged");
  done.push({ number: record.number, before: await store(record, verdict) });
  $("undo").disabled = false;
  await tell(`Judged ${verdict}, stored.`, () => move(1));
}

async function undo() {
  const last = done.at(-1);
  if (!last) return say("Nothing to undo.");
  const here = () => page.records.findIndex((record) => record.number === last.number);
  const found = page.records[here()] ?? { number: last.number };
  await store(found, last.before);
  done.pop();
  $("undo").disabled = done.length === 0;
  await tell(last.before ? `Undone: it is ${last.before} again.` : "Undone: it is not judged.", async () => {
    if (here() < 0 && page.records.length) await open({ before: page.records[0].number });
    await choose(Math.max(0, here()));
  });
}

// What is stored is told with what the step after it says, and though that step fails.
async function tell(stored, step) {
  say("");
  await step().catch((error) => say(`Not moved on: ${error.message}`));
  say(`${stored} ${$("status").textContent}`);
}

async function refilter() {
  const problem = $("filter-problem");
  try {
    await open();
    problem.textContent = "";
  } catch (error) {
    problem.textContent = error.message;
    return;
  }
  history.replaceState(null, "", `?${new URLSearchParams(words())}`);
  await choose(0, false);
  say($("place").textContent);
}

async function stand() {
  standing.show(await api.standing());
}

async function restore() {
  const count = Number($("show-restore").dataset.count);
  const answer = await api.restore(count).finally(stand); // others may have judged meanwhile
  say(`${answer.count} restored into ${answer.files.join(", ")}`);
}

const KEYS = {
  r: () => run(() => judge("right")),
  w: () => run(() => judge("wrong")),
  u: () => run(() => judge("unsure")),
  j: () => run(() => move(1)),
  k: () => run(() => move(-1)),
  z: () => run(undo),
  f: () => say(pair.toggle()),
  PageDown: () => pair.scroll(1),
  PageUp: () => pair.scroll(-1),
  p: () => $("standing").showModal(),
  "?": () => $("help").showModal(),
  "/": () => {
    $("browse").open = true;
    $("filter").elements.text.focus();
  },
};
const ONCE = new Set("rwuz"); // however long the key is held: what follows was not looked at
KEYS.ArrowDown = KEYS.ArrowRight = KEYS.j;
KEYS.ArrowUp = KEYS.ArrowLeft = KEYS.k;

function listen() {
  addEventListener("keydown", (event) => {
    if (event.target.matches("input, select") && event.key === "Escape") event.target.blur();
    const typing = event.target.closest("input, select, textarea, dialog");
    if (typing || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const scrolls = event.target.closest("main") && event.key.startsWith("Arrow");
    if (!$("keys-on").checked || scrolls || !Object.hasOwn(KEYS, event.key)) return;
    event.preventDefault();
    if (!(event.repeat && ONCE.has(event.key))) KEYS[event.key]();
  });
  for (const button of document.querySelectorAll("[data-verdict][aria-pressed]")) {
    button.addEventListener("click", () => run(() => judge(button.dataset.verdict)));
  }
  const click = (id, action) => $(id).addEventListener("click", action);
  click("forth", KEYS.j);
  click("back", KEYS.k);
  click("undo", KEYS.z);
  click("show-standing", KEYS.p);
  click("show-help", KEYS["?"]);
  click("page-after", () => run(() => turn("after", page.records.at(-1))));
  click("page-before", () => run(() => turn("before", page.records[0])));
  click("show-restore", () => {
    const count = $("show-restore").dataset.count;
    $("restore-text").textContent = `${count} judged wrong ${count === "1" ? "is" : "are"} put back as items.`;
    $("restore").returnValue = "no";
    $("restore").showModal();
  });
  $("restore").addEventListener("close", () => {
    if ($("restore").returnValue === "yes") run(restore);
  });
  $("filter").addEventListener("submit", (event) => event.preventDefault());
  let waiting;
  $("filter").addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => run(refilter), 150);
  });
}

async function turn(side, edge) {
  if (edge && (await open({ [side]: edge.number }))) await choose(0);
}

function recall() {
  for (const [name, value] of new URLSearchParams(location.search)) {
    const field = $("filter").elements[name];
    if (!field) continue;
    field.value = value;
    if ($("more").contains(field)) $("more").open = true;
  }
  if (matchMedia("(max-width: 50rem)").matches) $("browse").open = false;
}

listen();
recall();
run(async () => {
  await Promise.all([stand(), open()]);
  await choose(0);
  document.body.dataset.ready = "true";
});
