"use strict";
// Two choices of documents beside each other: the words and topics that tell them apart.
const ContrastView = (() => {
  const TOPICS = 10;

  function words(title, list, most) {
    return el("div", {}, el("h3", {}, title), el("table", {}, el("caption", { class: "unseen" }, title),
      el("tr", {}, ["word", "share", ""].map(head => el("th", { scope: "col" }, head))),
      list.map(({ word, share }) => el("tr", {}, el("td", {}, word), el("td", { class: "score", "data-share": share }, signed(share, 4)),
        el("td", { style: { width: "40%" } }, el("span", { class: "gauge up", style: { width: `${100 * share / most}%` } }))))));
  }
  function topics(page, list) {
    const shown = list.slice(0, TOPICS).filter(part => Math.abs(part.first) + Math.abs(part.second) > 1e-6);
    return el("table", {}, el("caption", { class: "unseen" }, "Topics that tell the two apart"),
      el("tr", {}, ["topic", "first", "second"].map(head => el("th", { scope: "col" }, head))),
      shown.map(part => el("tr", {}, el("td", {}, Lists.dot(part.topic), " ", Lists.name(page, part.topic, 4)),
        el("td", { class: "score" }, signed(part.first, 4)), el("td", { class: "score" }, signed(part.second, 4)))));
  }

  async function show(app, panel, first, second) {
    panel.replaceChildren(el("h2", { tabindex: "-1" }, "What tells two selections apart?"), el("p", { class: "soft" }, "…"));
    const found = await app.source.contrast(first, second), most = Math.max(...[...found.first, ...found.second].map(({ share }) => share), 1e-9);
    const others = new Set(second), same = first.filter(one => others.has(one)).length;
    panel.replaceChildren(el("h2", { tabindex: "-1" }, "What tells two selections apart?"),
      el("p", {}, `First: ${many(first.length)} documents. Second: ${many(second.length)} documents.${same ? ` ${many(same)} are in both.` : ""}`),
      el("p", { class: "total", id: "distance", "data-distance": found.distance }, `distance ${found.distance.toFixed(3)}`),
      el("p", { class: "soft" }, `The squared distance of their mean vectors, from 0 to 4. It is the sum of what all words add; words that are not listed add ${signed(found.other_words, 4)}.`),
      el("div", { class: "tables" }, words("More in the first", found.first, most), words("More in the second", found.second, most)),
      el("h3", {}, "By topic"), topics(app.page, found.topics));
    panel.querySelector("h2").focus({ preventScroll: true });
  }
  return { show };
})();
