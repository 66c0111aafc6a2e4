// How the review stands: the line at the top, and the table of bands and thresholds.

import { $, count, el, percent } from "./dom.js";

const range = ([low, high]) => `${percent(low)} to ${percent(high)}`;

export function show(standing) {
  const { overall, records, restorable } = standing;
  const judged = overall.right + overall.wrong + overall.unsure;
  const part = `${judged.toLocaleString("en")} of ${count(records, "record")} judged`;
  $("headline").textContent = overall.precision === null
    ? part
    : `${part} · precision ${percent(overall.precision)} (95\u00a0%: ${range(overall.interval)})`;
  document.title = `${judged}/${records} · Review of drops`;
  const wrong = $("show-restore");
  wrong.disabled = restorable === 0;
  wrong.dataset.count = restorable;
  wrong.textContent = restorable ? `Restore ${restorable} wrong` : "Restore the wrong ones";
  $("standing-body").replaceChildren(
    ...summary(standing),
    bands(standing.bands),
    el("h3", {}, "Thresholds of similarity that would fit, for schemes that have them"),
    ...standing.thresholds.map((advice) => el("p", {}, ...advise(advice, standing.few))),
  );
}

function summary({ overall, estimate }) {
  if (overall.precision === null) {
    return [el("p", {}, "Nothing is judged right or wrong yet.")];
  }
  const lines = [
    `${overall.right} right, ${overall.wrong} wrong, ${overall.unsure} unsure: precision ` +
      `${percent(overall.precision)} of what was judged, 95 % interval ${range(overall.interval)}.`,
  ];
  if (estimate) {
    const [precision, covered] = estimate;
    const rest = covered < 1 ? ` (${percent(covered)} of the records lie in bands with a judgement)` : "";
    lines.push(`Each band weighted by its records: ${percent(precision)}${rest}. The least alike are judged first, and err most; this evens it out.`);
  }
  return lines.map((line) => el("p", {}, line));
}

function bands(all) {
  const head = ["similarity", "records", "right", "wrong", "unsure", "precision", "95 % interval"];
  const rows = all.map((band) => [
    `${band.low.toFixed(2)}–${band.high.toFixed(2)}`,
    band.records.toLocaleString("en"),
    band.right,
    band.wrong,
    band.unsure,
    band.precision === null ? "–" : percent(band.precision),
    band.precision === null ? "–" : range(band.interval),
  ]);
  const table = el(
    "table",
    {},
    el("caption", {}, "By similarity"),
    el("thead", {}, el("tr", {}, ...head.map((name) => el("th", { scope: "col" }, name)))),
    el(
      "tbody",
      {},
      ...rows.map(([first, ...others]) =>
        el("tr", {}, el("th", { scope: "row" }, first), ...others.map((one) => el("td", {}, String(one)))),
      ),
    ),
  );
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Precision by similarity" }, table);
}

function advise(advice, few) {
  const where = el("strong", {}, `${advice.where[0].toUpperCase()}${advice.where.slice(1)}: `);
  const wanted = percent(advice.wanted);
  if (advice.judged < few) {
    return [where, `${advice.judged} judged so far; from ${few} on a threshold is told.`];
  }
  if (advice.threshold === null) {
    return [where, `no threshold reaches a precision of ${wanted} on the ${advice.judged} judged.`];
  }
  const { above } = advice;
  const setting = el("code", {}, `${advice.setting} = ${advice.threshold}`);
  const found = `. At it and over it, ${above.right} of ${above.right + above.wrong} judged are right`;
  const cost = advice.below
    ? ` It would let ${count(advice.below, "page")} of these logs pass, ${advice.lost} of them judged right.`
    : " That is the lowest of these logs: nothing has to change.";
  const doubt = advice.sure
    ? ""
    : ` Too few are judged to be sure: the interval begins at ${percent(above.interval[0])}, under the ${wanted} wanted.`;
  return [where, setting, `${found} (wanted: ${wanted}).`, cost, doubt];
}
