"use strict";
// Names of topics, or of a column's labels, on the map: beside the documents they name, where few dots are, never over a button.
class Labels {
  // Pixels of the map per label; dots that any label may hide (a label of many dots may hide more).
  static AREA = 9000; static FEW = 12;
  // `names` has a list of words per label of the column, of which the first few are shown.
  // `least` documents make a label worth a place; by default a share of all.
  constructor(places, column, names, least = Math.max(3, places.length / 800)) {
    this.least = least; this.places = places; this.column = column; this.names = names;
    this.members = names.map(() => []);
    column.codes.forEach((label, i) => { if (label < names.length && places[2 * i] >= 0) this.members[label].push(i); });
    this.last = new Map(); this.whole = [];
    this.leader = label => Colours.text(column.colourOf(label));
    this.light(null);
  }
  // Which documents are lit: topics without any of them are named faintly. Null: all. The spots are found when they are drawn.
  light(lit) { this.lit = lit; this.key = ""; this.spots = null; }
  // Where the documents of each label are densest, the labels of most lit documents first.
  find() {
    const { lit } = this, few = this.least, least = lit ? Math.max(2, lit.reduce((n, one) => n + (one === 255), 0) / 30) : few;
    return this.members.map((all, label) => {
      const own = lit ? all.filter(i => lit[i] === 255) : all, shown = own.length >= least;
      const spot = lit && shown ? Labels.densest(own, this.places) : this.whole[label] ??= Labels.densest(all, this.places);
      return { label, n: all.length, shown, ...spot };
    }).filter(spot => spot.n >= few || (lit && spot.shown))
      .sort((a, b) => b.shown - a.shown || b.n - a.n);
  }
  static densest(own, places) {
    const cells = new Map(), side = 24;
    let best = null;
    for (const i of own) {
      const key = Math.floor(places[2 * i] * side) * side + Math.floor(places[2 * i + 1] * side);
      const cell = cells.get(key) || { n: 0, sx: 0, sy: 0 };
      cell.n++; cell.sx += places[2 * i]; cell.sy += places[2 * i + 1]; cells.set(key, cell);
      if (!best || cell.n > best.n) best = cell;
    }
    return best && { x: best.sx / best.n, y: best.sy / best.n };
  }

  // How many dots are in each small square of the screen.
  static crowd(view, places, lit) {
    const side = 8, columns = Math.ceil(view.width / side) + 1, rows = Math.ceil(view.height / side) + 1;
    const counts = new Uint16Array(columns * rows), { across, down, left, top } = view.factors();
    const n = places.length / 2, step = Math.ceil(n / 60000);
    for (let i = 0; i < n; i += step) {
      if (places[2 * i] < 0 || (lit && lit[i] !== 255)) continue;
      const x = Math.floor((left + places[2 * i] * across) / side), y = Math.floor((top + places[2 * i + 1] * down) / side);
      if (x >= 0 && y >= 0 && x < columns && y < rows) counts[y * columns + x] += step;
    }
    return box => {
      let sum = 0;
      for (let y = Math.max(0, Math.floor(box.top / side)); y <= Math.min(rows - 1, Math.floor(box.bottom / side)); y++)
        for (let x = Math.max(0, Math.floor(box.left / side)); x <= Math.min(columns - 1, Math.floor(box.right / side)); x++) sum += counts[y * columns + x];
      return sum;
    };
  }

  // Middles of a label around a spot, nearest first.
  static around(x, y, half) {
    const out = [];
    for (const far of [16, 26, 38, 52]) out.push([x, y - far], [x, y + far], [x + half + far - 8, y], [x - half - far + 8, y], [x + half * 0.7, y - far], [x - half * 0.7, y - far], [x + half * 0.7, y + far], [x - half * 0.7, y + far]);
    return out;
  }

  // Where each label stands in this view; blocked boxes are those of buttons.
  place(pen, view, blocked) {
    const key = [view.scale, view.x, view.y, view.width, view.height].join();
    if (key === this.key) return this.placed;
    this.key = key; this.placed = []; this.spots ??= this.find();
    const dots = Labels.crowd(view, this.places, this.lit), taken = [...blocked], most = view.width * view.height / Labels.AREA;
    for (const spot of this.spots) {
      if (this.placed.length >= most) break;
      const name = this.names[spot.label].slice(0, view.width < 600 ? 2 : 3).join(" "), [x, y] = view.pixel(spot.x, spot.y);
      if (!name || x < 0 || y < 0 || x > view.width || y > view.height) continue;
      const half = pen.measureText(name).width / 2 + 5;
      let best = null;
      Labels.around(x, y, half).forEach(([cx, cy], i) => {
        const mx = Math.min(Math.max(cx, half + 2), view.width - half - 2), my = Math.min(Math.max(cy, 12), view.height - 12);
        const box = { left: mx - half, right: mx + half, top: my - 9, bottom: my + 9 };
        if (taken.some(other => box.left < other.right && box.right > other.left && box.top < other.bottom && box.bottom > other.top)) return;
        // A label stays where it was unless another place is clearly better.
        const hidden = dots(box);
        if (hidden > Math.max(Labels.FEW, spot.n / 4)) return;
        const cost = (hidden + 0.4 * Math.hypot(mx - x, my - y)) * (this.last.get(spot.label) === i ? 0.7 : 1);
        if (!best || cost < best.cost) best = { cost, i, box, mx, my };
      });
      if (!best) continue;
      this.last.set(spot.label, best.i); taken.push(best.box);
      this.placed.push({ name, label: spot.label, shown: spot.shown, x, y, ...best });
    }
    return this.placed;
  }

  draw(pen, view, blocked) {
    pen.font = "600 12.5px system-ui, sans-serif"; pen.textAlign = "center"; pen.textBaseline = "middle"; pen.lineJoin = "round";
    const placed = this.place(pen, view, blocked), card = Colours.ink("--card"), ink = Colours.ink("--ink");
    for (const { name, label, shown, x, y, mx, my, box } of placed) {
      pen.globalAlpha = shown ? 1 : 0.3;
      const ex = Math.min(Math.max(x, box.left + 6), box.right - 6), ey = Math.min(Math.max(y, box.top + 2), box.bottom - 2);
      if (Math.hypot(ex - x, ey - y) > 12) {
        pen.lineWidth = 1.2; pen.strokeStyle = this.leader(label); pen.beginPath(); pen.moveTo(ex, ey); pen.lineTo(x, y); pen.stroke();
      }
      pen.lineWidth = 3.5; pen.strokeStyle = card; pen.strokeText(name, mx, my);
      pen.fillStyle = ink; pen.fillText(name, mx, my);
    }
    pen.globalAlpha = 1;
  }
}
