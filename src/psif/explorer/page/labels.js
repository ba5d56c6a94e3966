"use strict";
// A topic's name stands where its documents are densest; larger topics go first.
class Labels {
  constructor(places, topics, names) {
    this.names = names;
    const members = names.map(() => []);
    topics.forEach((topic, i) => { if (topic < names.length && places[2 * i] >= 0) members[topic].push(i); });
    const least = Math.max(3, topics.length / 400);
    this.spots = members.map((own, topic) => ({ topic, n: own.length, ...Labels.densest(own, places) }))
      .filter(spot => spot.n >= least).sort((a, b) => b.n - a.n);
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
  draw(pen, view, only) {
    pen.font = "600 12.5px system-ui, sans-serif"; pen.textAlign = "center"; pen.textBaseline = "middle";
    const taken = [], card = Colours.ink("--card"), ink = Colours.ink("--ink");
    for (const spot of this.spots) {
      if (only !== null && spot.topic !== only) continue;
      const name = this.names[spot.topic].slice(0, view.width < 600 ? 2 : 3).join(" ");
      let [x, y] = view.pixel(spot.x, spot.y);
      const half = pen.measureText(name).width / 2 + 6;
      if (x < 0 || y < 0 || x > view.width || y > view.height) continue;
      x = Math.min(Math.max(x, half), view.width - half); y = Math.min(Math.max(y, 12), view.height - 12);
      if (taken.some(other => Math.abs(other.x - x) < other.half + half && Math.abs(other.y - y) < 21)) continue;
      taken.push({ x, y, half });
      pen.globalAlpha = 0.86; pen.fillStyle = card;
      pen.beginPath(); pen.roundRect(x - half, y - 10, 2 * half, 20, 6); pen.fill();
      pen.globalAlpha = 1; pen.fillStyle = ink; pen.fillText(name, x, y);
    }
  }
}
