"use strict";
// Two documents: their score, its exact parts, and the strongest word pairs drawn between them.
const CompareView = (() => {
  // Shares below LEAST would read as 0.
  const DRAWN = 10, TOPICS = 8, LEAST = 0.0005, LONG = 300;

  function asked(app, a, b) {
    const { page } = app;
    const shown = side => typeof side === "number" ? page.ids[side] : side;
    const field = (id, label, value) => el("div", {}, el("label", { for: id }, label), el("textarea", { id, rows: 2 }, value));
    return el("form", { class: "asked", onsubmit: event => {
      event.preventDefault();
      const side = id => {
        const value = document.getElementById(id).value, row = page.rowOf.get(value.trim());
        return row === undefined ? "=" + encodeURIComponent(value) : row;
      };
      location.hash = `#/compare/${side("first")}/${side("second")}`;
    } }, field("first", "First: an id, or any text", shown(a)), field("second", "Second: an id, or any text", shown(b)), el("button", { type: "submit" }, "Compare"));
  }

  function parts(page, result) {
    const shown = result.topics.slice(0, TOPICS).filter(t => Math.abs(t.share) >= LEAST);
    const rows = shown.map(t => [`${Lists.name(page, t.topic, 3)}`, t.share, t.words.join(" "), t.topic]);
    const rest = result.topics.slice(shown.length).filter(t => t.share);
    if (rest.length) rows.push([`${rest.length} other topics`, rest.reduce((sum, t) => sum + t.share, 0), "", null]);
    if (result.removed) rows.push(["common part removed", result.removed, "what all documents have in common", null]);
    const largest = Math.max(...rows.map(row => Math.abs(row[1])), 1e-9);
    return el("table", { id: "parts" }, el("caption", { class: "unseen" }, "Parts of the score"),
      el("tr", {}, ["topic", "share", "", "through"].map(head => el("th", { scope: "col" }, head))),
      rows.map(([name, share, words, topic]) => el("tr", {},
        el("td", {}, topic === null ? "" : Lists.dot(topic), " ", name),
        el("td", { class: "score", "data-share": share }, signed(share)),
        el("td", { style: { width: "22%" } }, el("span", { class: `gauge ${share < 0 ? "down" : "up"}`, style: { width: `${100 * Math.abs(share) / largest}%` } })),
        el("td", { class: "soft" }, words))),
      el("tr", {}, el("th", { scope: "row" }, "together"), el("td", { class: "score", id: "sum" }, signed(result.score)), el("td"), el("td")));
  }

  function pairTable(result, light) {
    return el("table", {}, el("caption", { class: "unseen" }, "Strongest word pairs"),
      el("tr", {}, ["first", "second", "share"].map(head => el("th", { scope: "col" }, head))),
      result.pairs.slice(0, 15).filter(pair => Math.abs(pair.share) >= LEAST).map(pair => el("tr", {
        class: "pair", tabindex: "0", onmouseenter: () => light(pair), onfocus: () => light(pair), onmouseleave: () => light(null), onblur: () => light(null),
      }, el("td", {}, pair.a), el("td", {}, pair.b), el("td", { class: "score" }, signed(pair.share)))));
  }

  // Marks of each word in a pane, first occurrence in sight first.
  function markOf(pane, word) {
    const marks = [...pane.querySelectorAll("mark")].filter(mark => mark.dataset.word === word), box = pane.getBoundingClientRect();
    return marks.find(mark => { const r = mark.getBoundingClientRect(); return r.top >= box.top && r.bottom <= box.bottom; });
  }

  function threads(svg, panes, result, only) {
    const origin = svg.getBoundingClientRect(), most = Math.max(...result.pairs.slice(0, 1).map(pair => Math.abs(pair.share)), LEAST);
    const pairs = only ? [only] : result.pairs.slice(0, DRAWN).filter(pair => Math.abs(pair.share) >= 0.02 * most);
    const stacked = panes[1].getBoundingClientRect().top >= panes[0].getBoundingClientRect().bottom;
    svg.replaceChildren();
    for (const mark of svg.parentElement.querySelectorAll("mark.chosen, mark.tied")) mark.classList.remove("chosen", "tied");
    for (const pair of pairs) {
      const ends = [markOf(panes[0], pair.a), markOf(panes[1], pair.b)];
      if (!ends[0] || !ends[1]) continue;
      ends.forEach(mark => mark.classList.add(only ? "chosen" : "tied"));
      const [r, s] = ends.map(mark => mark.getBoundingClientRect()), [left, right] = panes.map(pane => pane.getBoundingClientRect());
      const [x1, y1, x2, y2] = stacked
        ? [(r.left + r.right) / 2 - origin.left, r.bottom - origin.top, (s.left + s.right) / 2 - origin.left, s.top - origin.top]
        // Between the panes only: a line over a text would strike its words out.
        : [left.right - origin.left, (r.top + r.bottom) / 2 - origin.top, right.left - origin.left, (s.top + s.bottom) / 2 - origin.top];
      const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
      const bend = stacked ? `${x1} ${y1 + 40} ${x2} ${y2 - 40}` : `${(x1 + x2) / 2} ${y1} ${(x1 + x2) / 2} ${y2}`;
      path.setAttribute("d", `M${x1} ${y1} C${bend} ${x2} ${y2}`);
      path.style.stroke = Colours.ink(pair.share < 0 ? "--down" : "--up");
      path.style.strokeWidth = String(1 + 5 * Math.abs(pair.share) / most);
      svg.append(path);
    }
  }

  function sides(app, result) {
    const { page } = app, every = [...Object.values(result.words_a), ...Object.values(result.words_b)];
    const most = Math.max(...every.map(Math.abs), 1e-9);
    const pane = (text, shares, topics, label) => el("div", { class: "side", tabindex: "0", role: "region", "aria-label": label },
      Tinted.render(text, page.tokenizer, word => {
        const share = ofWord(shares, word);
        return share === undefined ? null : { topic: ofWord(topics, word), strength: Math.abs(share) / most, against: share < -0.02 * most, title: `${signed(share, 4)} · ${Lists.name(page, ofWord(topics, word), 3)}` };
      }));
    const panes = [pane(result.text_a, result.words_a, result.word_topics_a, "First text"), pane(result.text_b, result.words_b, result.word_topics_b, "Second text")];
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("class", "threads"); svg.setAttribute("aria-hidden", "true");
    // Long texts stand side by side, short ones one above the other.
    const long = result.text_a.length > LONG || result.text_b.length > LONG;
    const box = el("div", { class: long ? "sides long" : "sides" }, svg, panes);
    let only = null;
    const redraw = () => { if (box.isConnected) threads(svg, panes, result, only); };
    panes.forEach(one => one.addEventListener("scroll", redraw));
    new ResizeObserver(redraw).observe(box);
    return { box, light: pair => { only = pair; redraw(); } };
  }

  // Why a side adds nothing, or a typed text not all it could: most documents have some unknown words.
  function unknown(result, a, b) {
    const sides = [["first", result.unknown_a, result.words_a, a], ["second", result.unknown_b, result.words_b, b]];
    return sides.flatMap(([name, words, known, asked]) => {
      if (!Object.keys(known).length) return [words.length ? `The model knows no word of the ${name} text (${Lists.some(words)}), so there is nothing to compare.` : `The ${name} text has no words, so there is nothing to compare.`];
      return words.length && typeof asked === "string" ? [`The model does not know these words of the ${name} text, and leaves them out: ${Lists.some(words)}.`] : [];
    }).map(reason => el("p", { class: "reason" }, reason));
  }

  async function show(app, panel, a, b) {
    const heading = el("h2", { tabindex: "-1" }, "Why are two documents alike?"), form = asked(app, a, b);
    panel.replaceChildren(heading, form);
    if (!app.page.can.compare) { panel.append(el("p", { class: "soft" }, app.page.search || "Start the explorer with --texts to compare documents.")); return; }
    if (a === "" || b === "") { panel.append(el("p", { class: "soft" }, "Enter two ids, or any two texts. The score is split over topics and word pairs; the parts add up to it exactly.")); return; }
    const result = await app.source.compare(a, b), reasons = unknown(result, a, b);
    const total = el("p", { class: "total", id: "total", "data-score": result.score }, `similarity ${signed(result.score)}`);
    if (!Object.keys(result.words_a).length || !Object.keys(result.words_b).length) { panel.append(total, ...reasons); return; }
    const { box, light } = sides(app, result);
    panel.append(total, ...reasons, box,
      el("div", { class: "tables" }, el("div", {}, el("h3", {}, "By topic"), parts(app.page, result)), el("div", {}, el("h3", {}, "By word pair"), pairTable(result, light))));
  }
  return { show };
})();
