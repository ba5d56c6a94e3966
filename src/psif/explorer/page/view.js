"use strict";
// Which part of the map is seen: places from 0 to 1 become pixels.
class View {
  // `head` pixels at the top are kept free for buttons while the whole map is seen.
  constructor() { this.scale = 1; this.x = 0; this.y = 0; this.width = 1; this.height = 1; this.head = 0; }
  get pad() { return Math.min(36, this.width / 12); }
  factors() {
    const across = (this.width - 2 * this.pad) * this.scale, down = (this.height - 2 * this.pad - this.head) * this.scale;
    return { across, down, left: this.pad * this.scale + this.x, top: (this.pad + this.head) * this.scale + this.y };
  }
  pixel(x, y) {
    const f = this.factors();
    return [f.left + x * f.across, f.top + y * f.down];
  }
  zoom(factor, px, py) {
    const scale = Math.min(60, Math.max(1, this.scale * factor)), by = scale / this.scale;
    this.x = px - (px - this.x) * by; this.y = py - (py - this.y) * by; this.scale = scale;
    this.keep();
  }
  move(dx, dy) { this.x += dx; this.y += dy; this.keep(); }
  // Some of the map is always in sight.
  keep() {
    this.x = Math.min(0.5 * this.width, Math.max((0.5 - this.scale) * this.width, this.x));
    this.y = Math.min(0.5 * this.height, Math.max((0.5 - this.scale) * this.height, this.y));
    if (this.scale === 1) this.x = this.y = 0;
  }
  // Bring a place into sight, with a margin.
  reveal(x, y) {
    const [px, py] = this.pixel(x, y), margin = 40;
    if (px < margin || px > this.width - margin) this.x += this.width / 2 - px;
    if (py < margin || py > this.height - margin) this.y += this.height / 2 - py;
  }
}
