"use strict";
// Which view is shown; addresses after # name it, so that back, forward and links work.
const Explorer = { page: null, source: null, map: null, columns: null, filters: null };
(() => {
  const app = Explorer, panel = document.getElementById("panel"), query = document.getElementById("query");
  const WIDE = new Set(["topics", "compare", "time"]);
  let turn = 0, first = true;

  const side = text => text === "" ? "" : text.startsWith("=") ? decodeURIComponent(text.slice(1)) : number(text);
  function number(text) {
    const row = Number(text);
    if (!Number.isInteger(row) || row < 0 || row >= app.page.ids.length) throw new Error("There is no such document.");
    return row;
  }

  function home() {
    const { map, columns, filters, page } = app, column = map.column;
    const about = "Each dot is a document; dots close together have similar texts.";
    if (column === columns[0]) {
      panel.replaceChildren(el("h2", { tabindex: "-1" }, "Topics on the map"),
        el("p", { class: "soft" }, `${about} The colour shows the topic that stands out. Choose a dot to read its text, or a topic to highlight it.`),
        Lists.topics(page, null, topic => { location.hash = `#/topic/${topic}`; }));
    } else {
      const facet = Facets.make(column, filters, true);
      FilterView.shown = [facet.update];
      panel.replaceChildren(el("h2", { tabindex: "-1" }, `Documents by ${column.name}`), el("p", { class: "soft" }, `${about} The colour shows ${column.name}; documents without a value are grey.`),
        facet.box, el("p", {}, el("a", { href: "#/filter" }, "Filter by other columns")));
    }
    map.show();
  }
  function oneTopic(topic) {
    const { page } = app;
    if (!Number.isInteger(topic) || !page.topics[topic]) throw new Error("There is no such topic.");
    const n = page.topicOf.reduce((sum, own) => sum + (own === topic), 0);
    panel.replaceChildren(el("h2", { tabindex: "-1" }, Lists.name(page, topic, 5)),
      el("p", { class: "soft" }, `Stands out in ${many(n)} documents; ${percent(page.topics[topic].share)} of the corpus.`),
      el("h3", {}, "Documents"), Lists.documents(page, page.topics[topic].examples.map(one => [one])),
      el("h3", {}, "All topics"), Lists.topics(page, topic, other => { location.hash = other === topic ? "#/" : `#/topic/${other}`; }));
    app.map.show({ topic });
  }
  async function search(text) {
    const { page, source } = app, wanted = text.toLowerCase(), named = [];
    query.value = text;
    for (let i = 0; i < page.ids.length && named.length < 8; i++) if (page.ids[i].toLowerCase().includes(wanted)) named.push([i]);
    const exact = page.rowOf.get(text);
    if (exact !== undefined) { const at = named.findIndex(([i]) => i === exact); if (at >= 0) named.splice(at, 1); named.unshift([exact]); }
    const result = await source.search(text), hidden = result.found.filter(([one]) => !app.filters.passes(one)).length;
    const told = !result.found.length ? "The model knows no word of this." : result.unknown.length ? `The model does not know these words, and leaves them out: ${Lists.some(result.unknown)}.` : "";
    panel.replaceChildren(el("h2", { tabindex: "-1" }, `Search: ${text}`),
      named.length ? el("h3", {}, "By id") : "", Lists.documents(page, named),
      el("h3", {}, page.can.embed ? "Nearest texts" : "Texts that share words"), told ? el("p", { class: "reason" }, told) : "",
      hidden ? el("p", { class: "reason" }, `${many(hidden)} of the ${many(result.found.length)} nearest texts do not pass the filters.`) : "",
      Lists.documents(page, result.found.filter(([one]) => app.filters.passes(one))));
    const lit = [...named, ...result.found].map(([one]) => one);
    app.map.show({ only: lit.length ? lit : null, marked: lit.slice(0, 10) });
  }
  // A notebook that shows this page in a frame hears of selections, and makes them.
  function tellNotebook(chosen) { if (parent !== window) parent.postMessage({ selected: chosen.map(one => app.page.ids[one]) }, "*"); }
  function hearNotebook(event) {
    if (event.source !== parent || parent === window || !Array.isArray(event.data?.select)) return;
    const chosen = event.data.select.map(id => app.page.rowOf.get(String(id))).filter(row => row !== undefined);
    if (chosen.length) selection(chosen, false);
  }
  function selection(chosen, fromHere = true) {
    if (fromHere) tellNotebook(chosen);
    const { page } = app, counts = new Array(page.topics.length).fill(0);
    let known = 0;
    for (const i of chosen) if (page.topicOf[i] < counts.length) { counts[page.topicOf[i]]++; known++; }
    panel.replaceChildren(el("h2", { tabindex: "-1" }, `${many(chosen.length)} documents selected`),
      known ? Lists.bar(page, counts.map(count => count / known)) : "",
      Chosen.tools(app, () => chosen),
      Lists.documents(page, chosen.slice(0, 200).map(one => [one])),
      chosen.length > 200 ? el("p", { class: "soft" }, `… and ${many(chosen.length - 200)} more`) : "");
    app.map.show({ only: chosen });
    panel.querySelector("h2").focus({ preventScroll: true });
  }

  async function route() {
    if (location.hash && !location.hash.startsWith("#/")) return;
    const [view, one = "", two = ""] = location.hash.slice(2).split("/"), mine = ++turn;
    const shell = { replaceChildren: (...parts) => { if (mine === turn) panel.replaceChildren(...parts); }, append: (...parts) => { if (mine === turn) panel.append(...parts); } };
    document.body.toggleAttribute("data-wide", WIDE.has(view));
    for (const link of document.querySelectorAll("nav a")) {
      const own = link.getAttribute("href").slice(2), here = WIDE.has(view) || view === "filter" ? view : "";
      if (own === here) link.setAttribute("aria-current", "page"); else link.removeAttribute("aria-current");
    }
    FilterView.shown = [];
    // A query that is not shown any more would say that it still is.
    if (view !== "search" && document.activeElement !== query) query.value = "";
    try {
      if (view === "document") await DocumentView.show(app, shell, number(one));
      else if (view === "compare") await CompareView.show(app, shell, side(one), side(two));
      else if (view === "topics") TopicsView.show(app, shell);
      else if (view === "filter") FilterView.show(app, shell);
      else if (view === "time") TimeView.show(app, shell);
      else if (view === "topic") oneTopic(Number(one));
      else if (view === "search") await search(decodeURIComponent(one));
      else home();
    } catch (error) {
      shell.replaceChildren(el("h2", { tabindex: "-1" }, "That did not work"), el("p", {}, error.message));
    }
    if (mine !== turn) return;
    panel.scrollTop = 0;
    // Readers with a keyboard or a screen reader land on what has changed.
    if (!first && document.activeElement !== document.getElementById("overlay")) panel.querySelector("h2")?.focus({ preventScroll: true });
    first = false;
  }

  const showsColours = () => ["", "#", "#/", "#/filter"].includes(location.hash);
  // The choice of the colour, and what is told of filters on the map.
  function prepareColumns() {
    const { columns, filters, map, page } = app, shade = document.getElementById("shade"), status = document.getElementById("status");
    columns.forEach((column, i) => { if (column.coloured) shade.append(el("option", { value: i }, column.name)); });
    shade.addEventListener("change", () => { map.shade(columns[Number(shade.value)]); if (showsColours()) route(); });
    document.getElementById("unfilter").addEventListener("click", () => filters.clear());
    Colours.onchange(() => { if (showsColours()) route(); });
    filters.onchange(() => {
      status.hidden = !filters.active;
      status.querySelector("span").textContent = `${many(filters.count())} of ${many(page.ids.length)} documents`;
      FilterView.update(); map.relight();
      if (location.hash.startsWith("#/search/")) route();
    });
  }

  async function start() {
    const embedded = document.getElementById("data");
    if (embedded && typeof DecompressionStream === "undefined") throw new Error("This browser is too old for the page; it needs one of 2023 or later.");
    app.source = embedded ? new Offline(await Arrays.inflate(embedded.textContent)) : Remote;
    const page = app.page = await app.source.overview();
    page.line = new Lines(page, app.source);
    Colours.use(page.colours);
    page.topicOf = Arrays.unpack(page.topic_of);
    page.rowOf = new Map();
    page.ids.forEach((id, row) => { if (!page.rowOf.has(id)) page.rowOf.set(id, row); });
    const alone = Boolean(embedded);
    page.can = { compare: alone ? Boolean(page.words) : true, embed: alone ? Boolean(page.words) : true };
    document.title = `${page.title} · psif explorer`;
    document.getElementById("title").textContent = page.title;
    const facts = [`${many(page.ids.length)} ${page.ids.length === 1 ? "document" : "documents"}; map: ${page.method}.`, page.search, ...page.notes];
    document.getElementById("notes").replaceChildren(...facts.filter(Boolean).map(note => el("p", {}, note)));
    app.columns = [Column.topics(page), ...page.columns.map(data => new Column(data))];
    app.filters = new Filters(app.columns, page.ids.length);
    app.map = new DocumentMap(page, app.columns, app.filters, one => { location.hash = `#/document/${one}`; }, selection);
    prepareColumns();
    const dates = app.columns.filter(column => column.kind === "date");
    if (dates.length) document.getElementById("map").after(Timeline.make(dates, app.filters));
    document.querySelector("nav a[href='#/time']").hidden = !dates.length;
    document.getElementById("search").addEventListener("submit", event => {
      event.preventDefault();
      if (query.value.trim()) location.hash = `#/search/${encodeURIComponent(query.value.trim())}`;
    });
    addEventListener("hashchange", route);
    addEventListener("message", hearNotebook);
    await route();
    document.body.dataset.ready = "yes";
    // What the first search needs, made while nobody waits for it.
    setTimeout(() => app.source.prepare?.());
  }
  start().catch(error => panel.replaceChildren(el("h2", {}, "The page could not start"), el("p", {}, error.message)));
})();
