"use strict";
// Lines of equal density over the map: how many lit dots are around a place.
class Contours {
  // Cells across the map, passes of smoothing, and the levels as parts of the densest place.
  static SIDE = 96; static PASSES = 3; static LEVELS = [0.08, 0.22, 0.45, 0.7];
  constructor(places) { this.places = places; this.lines = null; this.on = false; }
  light(lit) { this.lit = lit; this.lines = null; }

  // Dots per cell, smoothed by three passes of a 3 x 3 mean; one empty cell around all, so that lines close.
  static density(places, lit, side = Contours.SIDE) {
    const wide = side + 8;
    let grid = new Float32Array(wide * wide);
    for (let i = 0; 2 * i < places.length; i++) {
      const x = places[2 * i], y = places[2 * i + 1];
      if (x < 0 || (lit && lit[i] !== 255)) continue;
      grid[(4 + Math.min(side - 1, Math.floor(y * side))) * wide + 4 + Math.min(side - 1, Math.floor(x * side))]++;
    }
    for (let pass = 0; pass < Contours.PASSES; pass++) {
      const next = new Float32Array(wide * wide);
      for (let y = 1; y < wide - 1; y++) for (let x = 1; x < wide - 1; x++) {
        let sum = 0;
        for (let dy = -1; dy <= 1; dy++) for (let dx = -1; dx <= 1; dx++) sum += grid[(y + dy) * wide + x + dx];
        next[y * wide + x] = sum / 9;
      }
      grid = next;
    }
    return { grid, wide, side };
  }

  // Pieces of the line of one level, by marching squares: four numbers per piece, in places from 0 to 1.
  static trace({ grid, wide, side }, level) {
    const out = [], place = cell => (cell - 4 + 0.5) / side;
    for (let y = 0; y < wide - 1; y++) for (let x = 0; x < wide - 1; x++) {
      const corners = [grid[y * wide + x], grid[y * wide + x + 1], grid[(y + 1) * wide + x + 1], grid[(y + 1) * wide + x]];
      const inside = corners.map(value => value >= level);
      if (inside.every(Boolean) || !inside.some(Boolean)) continue;
      const cut = [];
      for (let side_ = 0; side_ < 4; side_++) {
        const a = corners[side_], b = corners[(side_ + 1) % 4];
        if (inside[side_] === inside[(side_ + 1) % 4]) continue;
        const part = (level - a) / (b - a), [x1, y1] = [[0, 0], [1, 0], [1, 1], [0, 1]][side_], [x2, y2] = [[1, 0], [1, 1], [0, 1], [0, 0]][side_];
        cut.push([place(x + x1 + part * (x2 - x1)), place(y + y1 + part * (y2 - y1))]);
      }
      for (let i = 0; i + 1 < cut.length; i += 2) out.push([...cut[i], ...cut[i + 1]]);
    }
    return out;
  }

  draw(pen, view) {
    if (!this.on) return;
    if (!this.lines) {
      const found = Contours.density(this.places, this.lit), most = found.grid.reduce((a, b) => Math.max(a, b), 0);
      this.lines = most ? Contours.LEVELS.map(level => Contours.trace(found, level * most)) : [];
    }
    const { across, down, left, top } = view.factors();
    pen.strokeStyle = Colours.ink("--ink"); pen.lineWidth = 1.2; pen.lineCap = "round";
    this.lines.forEach((pieces, level) => {
      pen.globalAlpha = 0.25 + 0.12 * level;
      pen.beginPath();
      for (const [x1, y1, x2, y2] of pieces) { pen.moveTo(left + x1 * across, top + y1 * down); pen.lineTo(left + x2 * across, top + y2 * down); }
      pen.stroke();
    });
    pen.globalAlpha = 1;
  }
}
