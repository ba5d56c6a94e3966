"use strict";
// What rises and falls: the share of each label per period, one small picture each, the clearest changes first.
const TimeView = (() => {
  const MOST = 60, WIDTH = 300, HEIGHT = 64, SHORTEST = 400, FEW = 20;
  let what = 0, when = 0, period = "";

  const svg = (tag, attributes, ...children) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
    made.append(...children);
    return made;
  };
  // Fewer documents than this in a period say little about a share.
  const few = totals => Math.min(FEW, Math.max(...totals) / 4);
  // A bar per period; where there are no documents there is no share, and no bar.
  function picture(found, values, most, colour, written, label) {
    const wide = WIDTH / values.length, gap = wide > 4 ? 1 : 0, least = few(found.totals);
    const bars = values.map((value, t) => {
      if (!found.totals[t]) return "";
      const high = HEIGHT * Math.min(1, value / (most || 1)), shown = found.totals[t] < least ? 0.25 : 1;
      return svg("rect", { x: t * wide, width: Math.max(0.5, wide - gap), y: HEIGHT - high, height: high, fill: colour, opacity: shown }, svg("title", {}, `${found.starts[t]}: ${written(value)} of ${many(found.totals[t])}`));
    });
    return svg("svg", { class: "shares", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": label }, ...bars);
  }
  function card(found, name, values, colour, told, written) {
    const least = few(found.totals), counted = values.map((value, t) => (found.totals[t] >= least ? value : 0)), most = Math.max(...counted), at = found.starts[counted.indexOf(most)];
    return el("article", { class: "card", "aria-label": typeof name === "string" ? name : name.textContent },
      el("p", { class: "trend" }, el("span", { class: "dot", style: { background: colour }, "aria-hidden": "true" }), el("b", {}, name), told),
      picture(found, values, most, colour, written, `At most ${written(most)}, in the ${found.period} of ${at}.`),
      el("p", { class: "soft ends" }, el("span", {}, found.starts[0]), el("span", {}, `at most ${written(most)}`), el("span", {}, found.starts.at(-1))));
  }
  const chance = p => (p < 0.001 ? "p < 0.001" : `p = ${p.toFixed(3)}`);
  const SIGNS = { rises: "▲ rises", falls: "▼ falls", steady: "steady" };

  // One row per period and label, as `psif group --over-time` writes them.
  function table(found, names, order) {
    return found.starts.flatMap((start, t) => order.map(label => [["period", start], ["group", names[label]], ["documents", found.counts[label][t]],
      ["share", found.totals[t] ? found.counts[label][t] / found.totals[t] : 0], ["all_documents", found.totals[t]], ["change", found.change(label)], ["p", found.p[label]]]));
  }

  function show(app, panel) {
    const { columns, filters } = app, dates = columns.filter(column => column.kind === "date"), labelled = columns.filter(column => column.kind === "label");
    if (!dates.length) throw new Error("No column has dates, so there is no time to look at.");
    const column = labelled[what] ?? labelled[0], date = dates[when] ?? dates[0], found = Trends.count(date, column, i => filters.passes(i), period || null);
    // The list that was used keeps the focus when the view is made anew.
    const choice = (label, options, value, change) => el("label", { class: "soft" }, `${label} `, el("select", { "aria-label": label, onchange: event => {
      change(event.target.value); show(app, panel); document.querySelector(`#panel select[aria-label="${label}"]`)?.focus();
    } }, options.map(([own, name]) => el("option", { value: own, selected: String(own) === String(value) }, name))));
    const fits = date.most - date.least, periods = [["", "chosen by the dates"], ...Trends.PERIODS.filter(one => fits / 86400 / Trends.DAYS[one] < SHORTEST).map(one => [one, one])];
    const head = [el("h2", { tabindex: "-1" }, "Over time"), el("p", { class: "chosen" }, choice("Share of each", labelled.map((one, i) => [i, one.name]), what, value => { what = Number(value); }),
      dates.length > 1 ? choice("by", dates.map((one, i) => [i, one.name]), when, value => { when = Number(value); }) : null, choice("per", periods, period, value => { period = value; }))];
    if (!found) { panel.replaceChildren(...head, el("p", { class: "reason" }, "None of the documents that pass the filters has a date.")); return; }
    const used = [...found.counts.keys()].filter(label => found.counts[label].some(Boolean)), order = used.sort((a, b) => found.p[a] - found.p[b] || Math.abs(found.slopes[b]) - Math.abs(found.slopes[a]));
    const told = label => el("span", { class: `soft change ${found.change(label)}`, title: `z = ${found.slopes[label].toFixed(2)}, corrected for ${many(found.p.length)} tests`, "data-z": found.slopes[label], "data-p": found.p[label] }, `${SIGNS[found.change(label)]}, ${chance(found.p[label])}`);
    const name = label => column === columns[0] ? el("a", { href: `#/topic/${label}` }, column.names[label]) : el("span", {}, column.names[label]);
    const save = el("button", { type: "button", class: "small", onclick: () => Download.file("trends.csv", "text/csv", Download.csv(table(found, column.names, order))) }, "CSV");
    panel.replaceChildren(...head,
      el("p", { class: "soft" }, `${many(found.n - found.missing)} documents${filters.active ? " that pass the filters" : ""} by ${found.period}; ${many(found.missing)} have no date. A share rises or falls if a test for a linear trend says so (Cochran-Armitage, corrected for the number of tests). Periods with few documents are faint and do not set the height.`),
      el("p", { class: "chosen" }, save),
      el("div", { class: "cards" }, card(found, "all documents", found.totals, Colours.ink("--soft"), "", many),
        order.slice(0, MOST).map(label => card(found, name(label), found.counts[label].map((n, t) => (found.totals[t] ? n / found.totals[t] : 0)), Colours.text(column.colourOf(label)), told(label), percent))),
      order.length > MOST ? el("p", { class: "soft" }, `… and ${many(order.length - MOST)} more, in the CSV file.`) : "");
  }
  return { show };
})();
