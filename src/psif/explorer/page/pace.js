"use strict";
// How many of very many dots are drawn in one frame, so that the map stays smooth: fewer where frames come late, more
// where they come in time. When the map rests, the others follow frame by frame.
class Pace {
  // Dots to begin with; milliseconds between frames that are too many, and few enough; how long a map that moved is moving.
  static FIRST = 200000; static LATE = 40; static EARLY = 22; static REST = 160; static LEAST = 0.02;
  constructor(n, rested) { this.part = Math.min(1, Pace.FIRST / n); this.until = 0; this.before = 0; this.rested = rested; this.timer = 0; }
  moved(now = performance.now()) {
    this.until = now + Pace.REST;
    clearTimeout(this.timer);
    this.timer = setTimeout(this.rested, Pace.REST + 10);
  }
  moving(now = performance.now()) { return now < this.until; }
  // The part to draw in a frame that begins now.
  frame(now = performance.now()) {
    if (!this.moving(now)) { this.before = 0; return this.part; }
    const gap = this.before ? now - this.before : 0;
    this.before = now;
    if (gap > Pace.LATE) this.part = Math.max(Pace.LEAST, this.part * Math.max(0.25, Pace.LATE / gap) * 0.9);
    else if (gap && gap < Pace.EARLY) this.part = Math.min(1, this.part * 1.1);
    return this.part;
  }
}
