"use strict";
// All topics: words, share, neighbours, examples.
const TopicsView = {
  show(app, panel) {
    const { page } = app, order = page.topics.map((topic, i) => [topic, i]).sort((a, b) => b[0].share - a[0].share);
    const link = topic => el("a", { href: `#/topic/${topic}` }, Lists.name(page, topic, 2));
    const between = items => items.flatMap((item, i) => (i ? [", ", item] : [item]));
    panel.replaceChildren(el("h2", { tabindex: "-1" }, `${page.topics.length} topics`),
      el("div", { class: "cards" }, order.map(([topic, i]) => el("article", { class: "card", "aria-label": `Topic ${i}` },
        el("p", {}, Lists.dot(i), " ", el("a", { href: `#/topic/${i}` }, `topic ${i}`), el("span", { class: "soft" }, ` · ${percent(topic.share)} of the corpus`)),
        el("p", {}, topic.words.join(" ")),
        topic.opposite.length ? el("p", { class: "soft" }, "against: ", topic.opposite.join(" ")) : "",
        topic.nearest.length ? el("p", { class: "soft" }, "near: ", between(topic.nearest.map(link))) : "",
        topic.examples.length ? el("p", { class: "soft" }, "documents: ", between(topic.examples.slice(0, 3).map(one => el("a", { href: `#/document/${one}` }, page.ids[one])))) : ""))));
  },
};
