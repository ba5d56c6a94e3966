"use strict";
// A slider below the map: a window of time that is moved, or plays by itself.
const Timeline = (() => {
  const STEP = 700, PARTS = [1, 2, 5, 10];
  const UNITS = [["year", 365.25 * 86400], ["month", 30.44 * 86400], ["day", 86400], ["hour", 3600], ["minute", 60]];
  // A length of time in the largest unit of which it has two, or all of one.
  function spelled(seconds, exact) {
    const [name, unit] = UNITS.find(([, one]) => seconds >= (exact ? 1 : 2) * one) ?? ["second", 1], n = Math.round(seconds / unit);
    return `${exact ? "" : "≈ "}${n} ${name}${n === 1 ? "" : "s"}`;
  }

  // `columns` are those of dates.
  function make(columns, filters) {
    let column = columns[0], timer = 0;
    const which = el("select", { "aria-label": "Column of the timeline" }, columns.map((one, i) => el("option", { value: i }, one.name)));
    const at = el("input", { type: "range", min: 0, step: 1, value: 0, "aria-label": "Window of time" });
    const width = el("select", { "aria-label": "Width of the window" }, PARTS.map(n => el("option", { value: n })));
    const play = el("button", { type: "button", class: "small" }, "Play"), all = el("button", { type: "button", class: "small" }, "All times"), told = el("span", { class: "soft score" });

    function name() { for (const option of width.options) option.textContent = spelled(option.value * (column.top - column.low) / column.nBins, column.daily); }
    const wide = () => Math.min(Number(width.value), column.nBins), end = () => column.nBins - wide();
    function move() {
      const first = Math.min(Number(at.value), end());
      filters.change(column, { range: column.range(first, first + wide() - 1) });
    }
    function stop() { clearInterval(timer); timer = 0; play.textContent = "Play"; }
    function start() {
      if (Number(at.value) >= end() || !filters.set.has(column)) at.value = 0;
      move(); play.textContent = "Pause";
      timer = setInterval(() => { if (Number(at.value) >= end()) { stop(); return; } at.value = Number(at.value) + 1; move(); }, STEP);
    }
    // A filter of this column may change elsewhere too.
    function update() {
      const range = filters.set.get(column)?.range, text = range ? range.map(value => column.written(value).slice(0, 10)).join(" to ") : `${column.written(column.least).slice(0, 10)} to ${column.written(column.most).slice(0, 10)}`;
      told.textContent = text; at.setAttribute("aria-valuetext", text); at.max = end(); all.disabled = !range;
      if (!range && timer) stop();
    }
    function choose() { stop(); filters.change(column, null); column = columns[Number(which.value)]; at.value = 0; name(); update(); }
    which.addEventListener("change", choose);
    at.addEventListener("input", () => { if (timer) stop(); move(); });
    width.addEventListener("change", () => { update(); if (filters.set.has(column)) move(); });
    play.addEventListener("click", () => (timer ? stop() : start()));
    all.addEventListener("click", () => { stop(); filters.change(column, null); });
    filters.onchange(update);
    name();
    update();
    return el("div", { class: "timeline", role: "group", "aria-label": "Timeline" }, play, columns.length > 1 ? which : el("b", {}, column.name), at, width, told, all);
  }
  return { make };
})();
