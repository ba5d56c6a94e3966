"use strict";
// One document: its text tinted by topic, its topic bar, its neighbours.
const DocumentView = (() => {
  // The other columns of a document.
  function fields(columns, number) {
    const rows = columns.map(column => [column.name, column.shown(number)]).filter(([, value]) => value !== null);
    return rows.length ? el("dl", { class: "fields" }, rows.map(([name, value]) => [el("dt", {}, name), el("dd", {}, value)])) : "";
  }
  return { async show(app, panel, number) {
    const { page, source } = app, found = await source.document(number);
    const body = found.text === null ? el("p", { class: "soft" }, page.has_texts ? "The text of this document is missing." : "The explorer was started without --texts, so there is no text to show.")
      : Tinted.render(found.text, page.tokenizer, word => {
        const known = ofWord(found.words, word);
        return known && { topic: known[0], strength: known[1], title: Lists.name(page, known[0]) };
      });
    panel.replaceChildren(
      el("h2", { tabindex: "-1" }, page.ids[number]),
      found.topics ? Lists.bar(page, found.topics) : "",
      fields(app.columns.slice(1), number),
      page.can.compare ? el("p", {}, el("a", { href: `#/compare/${number}/` }, "Compare it with another")) : "",
      body,
      el("h3", {}, "Nearest documents"),
      Lists.documents(page, found.near, { compareWith: number }));
    app.map.show({ marked: found.near.map(([one]) => one), cursor: number });
  } };
})();
