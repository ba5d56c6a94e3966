"use strict";
// The map: zoom, hover, lasso and keys over the drawn points.
class DocumentMap {
  constructor(page, columns, filters, open, select) {
    this.page = page; this.columns = columns; this.filters = filters; this.open = open; this.select = select;
    this.view = new View(); this.hover = this.cursor = -1; this.marked = []; this.topic = null;
    this.overlay = document.getElementById("overlay"); this.pen = this.overlay.getContext("2d");
    this.tip = document.getElementById("tip");
    const raw = Arrays.unpack(page.places);
    this.places = Float32Array.from(raw, place => place === Colours.NONE ? -9 : place / (Colours.NONE - 1));
    this.topics = Arrays.unpack(page.topic_of);
    this.points = new Points(document.getElementById("points"), this.places, columns[0]);
    this.points.redraw = () => { this.drawn = ""; this.draw(); };
    this.pace = new Pace(this.points.order ? this.topics.length : 1, () => this.draw());
    // What the dots were drawn for, and which part of them is there.
    this.drawn = ""; this.part = 0;
    this.chosen = null; this.contours = new Contours(this.places);
    this.shade(columns[0]);
    new ResizeObserver(() => this.resize()).observe(this.overlay);
    Colours.onchange(() => { this.legend(this.column); this.points.recolour(); this.drawn = ""; this.draw(); });
    this.listen();
  }
  // Colour the documents by a column; labels name its values, or topics where it has none.
  shade(column) {
    const topics = column === this.columns[0], named = column.kind === "label" && !topics;
    this.column = this.points.column = column;
    this.labels = new Labels(this.places, named ? column : this.columns[0], named ? column.names.map(name => [name.length > 26 ? name.slice(0, 25) + "…" : name]) : this.page.topics.map(topic => topic.words));
    // A topic's colour would say nothing where dots have those of a scale.
    if (column.ranged) this.labels.leader = () => Colours.ink("--soft");
    // Finer names for those who zoom in; a column's own labels stay.
    this.levels = [{ zoom: 0, labels: this.labels }, ...(named ? [] : this.finer())];
    this.legend(column); this.relight();
  }
  // Names of smaller and smaller areas of the map.
  finer() {
    this.areas ??= this.page.areas.map(({ zoom, codes, names }) => {
      const labels = new Labels(this.places, { codes: Arrays.unpack(codes) }, names, 2);
      labels.leader = () => Colours.ink("--soft");
      return { zoom, labels };
    });
    return this.areas;
  }
  // The names that fit this zoom.
  naming() { return this.levels.findLast(level => this.view.scale >= level.zoom).labels; }
  legend(column) {
    const box = document.getElementById("legend");
    box.hidden = !column.ranged;
    if (box.hidden) return;
    const steps = Array.from({ length: 24 }, (_, i) => Colours.text(Colours.scale(i / 23)));
    const end = (value, beyond, sign) => (beyond ? sign : "") + column.written(value);
    const [from, to] = column.ends;
    box.replaceChildren(el("span", {}, end(from, column.least < from, "≤ ")), el("span", { class: "scale", style: { background: `linear-gradient(to right, ${steps.join()})` } }), el("span", {}, end(to, column.most > to, "≥ ")));
  }
  // Light what is chosen and passes the filters.
  relight() {
    const { chosen, filters } = this, some = chosen || filters.active;
    this.points.light(some ? i => filters.passes(i) && (!chosen || chosen(i)) : null);
    for (const { labels } of this.levels) labels.light(some ? this.points.lit : null);
    this.contours.light(some ? this.points.lit : null);
    this.drawn = ""; this.draw();
  }
  resize() {
    const box = this.overlay.getBoundingClientRect(), ratio = this.ratio = devicePixelRatio || 1;
    if (!box.width) return;
    this.view.width = box.width; this.view.height = box.height; this.view.head = 0;
    for (const { bottom } of this.buttons()) if (bottom < box.height / 2) this.view.head = Math.max(this.view.head, bottom - this.view.pad);
    for (const canvas of [this.overlay, this.points.canvas]) {
      canvas.width = Math.round(box.width * ratio); canvas.height = Math.round(box.height * ratio);
    }
    this.view.keep(); this.drawn = ""; this.paint();
  }
  draw() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => { this.waiting = false; this.paint(); });
  }
  paint() {
    const pen = this.pen;
    this.dots();
    pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    pen.clearRect(0, 0, this.view.width, this.view.height);
    this.contours.draw(pen, this.view);
    this.naming().draw(pen, this.view, this.buttons());
    for (const i of this.marked) this.ring(i, 6, 1.5);
    for (const i of [this.cursor, this.hover]) if (i >= 0) this.ring(i, 7, 2.5);
    if (this.line) this.drawLine();
  }
  // Draw the dots, unless they are there already: all at once, or, of very many, some per frame.
  dots() {
    const { scale, x, y, width, height } = this.view, key = [scale, x, y, width, height].join();
    if (key !== this.drawn) {
      this.drawn = key; this.part = this.pace.frame();
      this.points.draw(this.view, this.ratio || 1, 0, this.part);
    }
    if (this.part < 1 && !this.pace.moving() && !this.adding) this.add();
  }
  add() {
    const key = this.drawn;
    this.adding = true;
    requestAnimationFrame(() => {
      this.adding = false;
      if (key !== this.drawn || this.pace.moving()) { this.draw(); return; }
      const to = this.part + this.pace.part;
      this.points.draw(this.view, this.ratio || 1, this.part, to);
      this.part = to;
      if (to < 1) this.add();
    });
  }
  // Boxes of the buttons over the map.
  buttons() {
    const area = this.overlay.getBoundingClientRect();
    return [...this.overlay.parentElement.querySelectorAll(".tools:not([hidden])")].map(tools => {
      const box = tools.getBoundingClientRect();
      return { left: box.left - area.left - 6, right: box.right - area.left + 6, top: box.top - area.top - 6, bottom: box.bottom - area.top + 6 };
    });
  }
  ring(i, radius, thick) {
    const [x, y] = this.pixel(i);
    this.pen.lineWidth = thick; this.pen.strokeStyle = Colours.ink("--ink");
    this.pen.beginPath(); this.pen.arc(x, y, radius, 0, 7); this.pen.stroke();
  }
  drawLine() {
    this.pen.beginPath();
    this.line.forEach(([x, y]) => this.pen.lineTo(x, y));
    this.pen.closePath(); this.pen.globalAlpha = 0.12; this.pen.fillStyle = Colours.ink("--link"); this.pen.fill();
    this.pen.globalAlpha = 1; this.pen.lineWidth = 1.5; this.pen.strokeStyle = Colours.ink("--link"); this.pen.stroke();
  }
  pixel(i) { return this.view.pixel(this.places[2 * i], this.places[2 * i + 1]); }

  // The nearest document to a pixel, of those that score(dx, dy) does not refuse.
  near(px, py, score = (dx, dy) => dx * dx + dy * dy, most = Infinity) {
    const { across, down, left, top } = this.view.factors();
    let best = -1, least = most;
    for (let i = 0; i < this.topics.length; i++) {
      if (this.places[2 * i] < 0 || this.points.lit[i] !== 255) continue;
      const far = score(left + this.places[2 * i] * across - px, top + this.places[2 * i + 1] * down - py, i);
      if (far < least) { least = far; best = i; }
    }
    return best;
  }
  // Light only some documents, ring a few, put the cursor on one.
  show({ topic = null, only = null, marked = [], cursor = -1 } = {}) {
    this.topic = topic; this.marked = marked.filter(i => this.places[2 * i] >= 0);
    this.cursor = cursor >= 0 && this.places[2 * cursor] >= 0 ? cursor : -1;
    const set = only && new Set(only);
    this.chosen = set ? i => set.has(i) : topic === null ? null : i => this.topics[i] === topic;
    this.relight(); this.quiet();
    if (this.cursor >= 0) this.view.reveal(this.places[2 * cursor], this.places[2 * cursor + 1]);
    this.draw();
  }
  // Nothing is pointed at any more.
  quiet() {
    if (this.hover < 0 && this.tip.hidden) return;
    this.hover = -1; this.tell(-1); this.draw();
  }
  tell(i, px, py) {
    this.tip.hidden = i < 0;
    if (i < 0) return;
    const name = el("b", {}, this.page.ids[i]), line = el("span"), { width, height } = this.view;
    const value = this.column === this.columns[0] ? null : this.column.shown(i);
    this.tip.replaceChildren(name, el("br"), line, ...(value === null ? [] : [el("br"), el("i", {}, `${this.column.name}: ${value}`)]));
    const stand = () => {
      this.tip.style.left = Math.max(4, Math.min(px + 12, width - this.tip.offsetWidth - 4)) + "px";
      this.tip.style.top = (py + 18 + this.tip.offsetHeight > height ? Math.max(4, py - this.tip.offsetHeight - 12) : py + 18) + "px";
    };
    stand();
    this.page.line.tell(i, text => { line.textContent = text; if (line.isConnected) stand(); });
  }
  enclosed() {
    const inside = [], line = this.line;
    for (let i = 0; i < this.topics.length; i++) {
      if (this.places[2 * i] < 0 || !this.filters.passes(i)) continue;
      const [x, y] = this.pixel(i);
      let odd = false;
      for (let j = 0, k = line.length - 1; j < line.length; k = j++) {
        const [xj, yj] = line[j], [xk, yk] = line[k];
        if (yj > y !== yk > y && x < (xk - xj) * (y - yj) / (yk - yj) + xj) odd = !odd;
      }
      if (odd) inside.push(i);
    }
    return inside;
  }
  listen() {
    const area = this.overlay, fingers = new Map(), view = this.view, lasso = document.getElementById("lasso");
    const spot = event => { const box = area.getBoundingClientRect(); return [event.clientX - box.left, event.clientY - box.top]; };
    const drawing = event => lasso.getAttribute("aria-pressed") === "true" || event.shiftKey;
    let moved = false, gap = 0;
    area.addEventListener("pointerdown", event => {
      area.setPointerCapture(event.pointerId); fingers.set(event.pointerId, spot(event)); moved = false; gap = 0;
      if (fingers.size === 1 && drawing(event)) this.line = [spot(event)];
    });
    area.addEventListener("pointermove", event => {
      const [x, y] = spot(event), before = fingers.get(event.pointerId);
      if (before && this.line) { this.line.push([x, y]); moved = true; this.draw(); return; }
      if (before && fingers.size === 1) {
        if (!moved && Math.hypot(x - before[0], y - before[1]) <= 3) return;
        moved = true; this.pace.moved(); view.move(x - before[0], y - before[1]); fingers.set(event.pointerId, [x, y]);
      } else if (before) {
        fingers.set(event.pointerId, [x, y]); moved = true;
        const [a, b] = [...fingers.values()], now = Math.hypot(a[0] - b[0], a[1] - b[1]);
        this.pace.moved();
        if (gap) view.zoom(now / gap, (a[0] + b[0]) / 2, (a[1] + b[1]) / 2);
        gap = now;
      } else {
        this.hover = this.near(x, y, undefined, 200); this.tell(this.hover, x, y);
      }
      this.draw();
    });
    const up = event => {
      const [x, y] = spot(event);
      fingers.delete(event.pointerId); gap = 0;
      if (this.line) {
        const chosen = this.line.length > 2 ? this.enclosed() : [];
        this.line = null; lasso.setAttribute("aria-pressed", "false"); area.classList.remove("lasso");
        if (chosen.length) this.select(chosen);
      } else if (!moved && event.type === "pointerup") {
        const found = this.near(x, y, undefined, 200);
        if (found >= 0) this.open(found);
      }
      this.draw();
    };
    area.addEventListener("pointerup", up); area.addEventListener("pointercancel", up);
    area.addEventListener("pointerleave", () => this.quiet());
    area.addEventListener("blur", () => this.quiet());
    // The pointer may rest on the map while somebody types elsewhere.
    document.addEventListener("keydown", event => { if (event.target !== area) this.quiet(); });
    document.addEventListener("focusin", event => { if (event.target !== area) this.quiet(); });
    area.addEventListener("wheel", event => { event.preventDefault(); this.pace.moved(); view.zoom(Math.exp(-event.deltaY / 400), ...spot(event)); this.draw(); }, { passive: false });
    area.addEventListener("dblclick", () => this.whole());
    area.addEventListener("keydown", event => this.key(event));
    const middle = factor => () => { view.zoom(factor, view.width / 2, view.height / 2); this.draw(); };
    document.getElementById("closer").addEventListener("click", middle(1.6));
    document.getElementById("further").addEventListener("click", middle(1 / 1.6));
    document.getElementById("whole").addEventListener("click", () => this.whole());
    const contours = document.getElementById("contours");
    contours.addEventListener("click", () => {
      this.contours.on = !this.contours.on; contours.setAttribute("aria-pressed", String(this.contours.on)); this.draw();
    });
    lasso.addEventListener("click", () => {
      const on = lasso.getAttribute("aria-pressed") !== "true";
      lasso.setAttribute("aria-pressed", String(on)); area.classList.toggle("lasso", on);
    });
  }
  whole() { this.view.scale = 1; this.view.keep(); this.draw(); }
  key(event) {
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }, way = ways[event.key];
    const view = this.view;
    if (way) this.step(...way);
    else if (event.key === "Enter" && this.cursor >= 0) this.open(this.cursor);
    else if (event.key === "+" || event.key === "=") view.zoom(1.4, view.width / 2, view.height / 2);
    else if (event.key === "-") view.zoom(1 / 1.4, view.width / 2, view.height / 2);
    else if (event.key === "0") this.whole();
    else return;
    event.preventDefault(); this.draw();
  }
  // Go to the nearest document in a direction, straight ahead before aside.
  step(dx, dy) {
    const from = this.cursor;
    const [px, py] = from < 0 ? [this.view.width / 2, this.view.height / 2] : this.pixel(from);
    const next = this.near(px, py, (x, y, i) => {
      const ahead = x * dx + y * dy, aside = Math.abs(x * dy) + Math.abs(y * dx);
      return i === from || (from >= 0 && ahead <= 0.01) ? Infinity : Math.abs(ahead) + 2 * aside;
    });
    if (next < 0) return;
    this.cursor = next; this.view.reveal(this.places[2 * next], this.places[2 * next + 1]);
    this.page.line.tell(next, line => { if (this.cursor === next) document.getElementById("said").textContent = `${this.page.ids[next]}. ${line}`; });
    this.tell(next, ...this.pixel(next));
  }
}
