"use strict";
// One column to look at and to filter by: a histogram, a list of labels, or a field for a part of a text.
const Facets = (() => {
  const FEW = 8, MOST = 200;

  // What a column holds, and how many documents have no value in it.
  function facts(column, filters, told) {
    const missing = column.missing(filters.n);
    return el("span", { class: "soft" }, told + (missing ? `; ${many(missing)} without a value` : ""));
  }
  function heading(column, filters, extra) {
    const clear = el("button", { type: "button", class: "small", "aria-label": `Clear the filter of ${column.name}`, onclick: () => filters.change(column, null) }, "clear");
    const head = el("div", { class: "facethead" }, el("h3", {}, column.name), extra, clear);
    return { head, update: () => { clear.hidden = !filters.set.has(column); } };
  }

  function labels(column, filters, coloured) {
    const total = filters.counts(column, true), order = [...total.keys()].filter(code => total[code]), list = el("ul", { class: "plain" });
    let n = FEW;
    const { head, update: updateHead } = heading(column, filters, facts(column, filters, `${many(order.length)} ${order.length === 1 ? "value" : "values"}`));
    const toggle = code => {
      const chosen = new Set(filters.set.get(column)?.labels);
      if (!chosen.delete(code)) chosen.add(code);
      filters.change(column, chosen.size ? { labels: chosen } : null);
    };
    const more = el("button", { type: "button", class: "small", onclick: () => { n = n === FEW ? MOST : FEW; fill(); } });
    let rows = [];
    function fill() {
      const shown = order.slice(0, n);
      rows = shown.map(code => {
        const now = el("span", { class: "now" }), count = el("span", { class: "score soft" });
        const button = el("button", { type: "button", class: "label", onclick: () => toggle(code) },
          coloured ? el("span", { class: "dot", style: { background: Colours.text(column.colourOf(code)) }, "aria-hidden": "true" }) : null, el("span", { class: "name" }, column.names[code]), count, now);
        return { code, button, now, count };
      });
      list.replaceChildren(...rows.map(row => el("li", {}, row.button)));
      more.hidden = order.length <= FEW; more.textContent = n > FEW ? "show fewer" : `show ${order.length > MOST ? `${MOST} of ${many(order.length)}` : `all ${many(order.length)}`}`;
      update();
    }
    function update() {
      const counts = filters.counts(column), most = Math.max(...total, 1), chosen = filters.set.get(column)?.labels;
      for (const { code, button, now, count } of rows) {
        now.style.width = `${100 * counts[code] / most}%`; count.textContent = many(counts[code]);
        button.setAttribute("aria-pressed", String(Boolean(chosen?.has(code))));
        button.classList.toggle("out", Boolean(chosen) && !chosen.has(code));
      }
      updateHead();
    }
    order.sort((a, b) => column.names.length > FEW ? total[b] - total[a] : a - b);
    fill();
    return { box: el("section", { class: "facet", "aria-label": column.name }, head, list, more), update };
  }

  const asDate = value => new Date(1000 * value).toISOString().slice(0, 10);
  function ranged(column, filters, coloured) {
    const total = filters.counts(column, true), most = Math.max(...total, 1), bars = [];
    const { head, update: updateHead } = heading(column, filters, facts(column, filters, `${column.written(column.least)} to ${column.written(column.most)}${column.log ? ", log scale" : ""}`));
    const plot = el("div", { class: "histogram", "aria-hidden": "true" }, Array.from(total, (count, bin) => {
      const now = el("span", { class: "now", style: coloured ? { background: Colours.text(column.shadeOf(bin)) } : {} });
      const bar = el("span", { class: "bin", title: `${column.range(bin, bin).map(value => column.written(value)).join(" to ")}: ${many(count)}` }, el("span", { class: "all", style: { height: `${100 * count / most}%` } }), now);
      bars.push({ bar, now });
      return bar;
    }));
    const kind = column.kind === "date" ? "date" : "number";
    const limit = (name, part) => {
      const input = el("input", { type: kind, step: column.kind === "date" ? null : "any", "aria-label": `${column.name} ${name}`, placeholder: name, onchange: () => {
        const [from, to] = filters.set.get(column)?.range ?? [column.least, column.most], value = input.value;
        const day = part ? 86399 : 0, given = value === "" ? (part ? column.most : column.least) : kind === "date" ? Date.parse(value) / 1000 + day : Number(value);
        const range = part ? [from, given] : [given, to];
        filters.change(column, range[0] <= column.least && range[1] >= column.most ? null : { range });
      } });
      return input;
    };
    const from = limit("from", 0), to = limit("to", 1);
    // Drag over the bars to choose a range.
    let start = null;
    const binAt = event => { const box = plot.getBoundingClientRect(); return Math.max(0, Math.min(column.nBins - 1, Math.floor((event.clientX - box.left) / box.width * column.nBins))); };
    const choose = event => { const bin = binAt(event); filters.change(column, { range: column.range(Math.min(start, bin), Math.max(start, bin)) }); };
    plot.addEventListener("pointerdown", event => { start = binAt(event); plot.setPointerCapture(event.pointerId); choose(event); });
    plot.addEventListener("pointermove", event => { if (start !== null) choose(event); });
    for (const end of ["pointerup", "pointercancel"]) plot.addEventListener(end, () => { start = null; });
    function update() {
      const counts = filters.counts(column), range = filters.set.get(column)?.range;
      bars.forEach(({ bar, now }, bin) => {
        const [low, high] = column.range(bin, bin);
        now.style.height = `${100 * counts[bin] / most}%`;
        bar.classList.toggle("out", Boolean(range) && (high < range[0] || low > range[1]));
      });
      const write = value => kind === "date" ? asDate(value) : Number(value.toPrecision(9));
      from.value = range && range[0] > column.least ? write(range[0]) : ""; to.value = range && range[1] < column.most ? write(range[1]) : "";
      updateHead();
    }
    update();
    return { box: el("section", { class: "facet", "aria-label": column.name }, head, plot, el("div", { class: "limits" }, from, to)), update };
  }

  function texts(column, filters) {
    const { head, update: updateHead } = heading(column, filters, facts(column, filters, "text"));
    let waiting = 0;
    const input = el("input", { type: "search", placeholder: "contains …", "aria-label": `${column.name} contains`, oninput: () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => filters.change(column, input.value.trim() ? { contains: input.value.trim() } : null), 150);
    } });
    const update = () => { if (!filters.set.has(column) && document.activeElement !== input) input.value = ""; updateHead(); };
    input.value = filters.set.get(column)?.contains ?? "";
    update();
    return { box: el("section", { class: "facet", "aria-label": column.name }, head, input), update };
  }

  // `coloured`: whether the map shows this column's colours, so that they explain it.
  const make = (column, filters, coloured) => (column.kind === "label" ? labels : column.kind === "text" ? texts : ranged)(column, filters, coloured);
  return { make };
})();
