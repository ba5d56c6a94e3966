"use strict";
// All columns beside the map; every change of one is seen in the others.
const FilterView = {
  shown: [],
  show(app, panel) {
    const { filters, columns, page } = app, told = el("p", { class: "soft", role: "status" });
    const facets = columns.map(column => Facets.make(column, filters, column === app.map.column));
    FilterView.shown = [() => { told.textContent = filters.active ? `${many(filters.count())} of ${many(page.ids.length)} documents` : `All ${many(page.ids.length)} documents. Drag over a histogram or choose values to narrow them down.`; }, ...facets.map(facet => facet.update)];
    panel.replaceChildren(el("h2", { tabindex: "-1" }, "Filter"), told,
      Chosen.tools(app, () => Array.from({ length: page.ids.length }, (_, i) => i).filter(i => filters.passes(i))), ...facets.map(facet => facet.box));
    FilterView.update();
    app.map.show();
  },
  update() { for (const update of FilterView.shown) update(); },
};
