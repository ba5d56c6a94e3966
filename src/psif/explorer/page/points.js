"use strict";
// Draws very many dots: by WebGL, or on a plain canvas where that is missing.
class Points {
  // More dots than this are drawn in a random order, so that some of them look like all of them.
  static MANY = 100000;
  static shuffled(n) {
    const order = Uint32Array.from({ length: n }, (_, i) => i);
    let state = 1;
    for (let i = n - 1; i > 0; i--) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      const j = Math.floor(state / 4294967296 * (i + 1)), other = order[j];
      order[j] = order[i]; order[i] = other;
    }
    return order;
  }
  constructor(canvas, places, column) {
    this.canvas = canvas; this.places = places; this.column = column; this.n = places.length / 2;
    this.lit = new Uint8Array(this.n).fill(255);
    this.order = this.n > Points.MANY ? Points.shuffled(this.n) : null;
    // Very many dots are drawn in several frames, each above the ones before.
    this.gl = canvas.getContext("webgl", { antialias: true, preserveDrawingBuffer: Boolean(this.order) });
    if (this.gl && !this.prepare()) {
      // A canvas keeps its first kind of context, so a fresh one takes its place.
      this.gl = null; this.canvas = canvas.cloneNode(); canvas.replaceWith(this.canvas);
    }
    if (!this.gl) this.pen = this.canvas.getContext("2d");
    canvas.addEventListener("webglcontextlost", event => event.preventDefault());
    canvas.addEventListener("webglcontextrestored", () => { this.prepare(); this.redraw?.(); });
    this.recolour();
  }
  prepare() {
    const gl = this.gl, program = gl.createProgram();
    const shaders = [
      [gl.VERTEX_SHADER, `attribute vec2 place; attribute vec4 colour; uniform vec2 factor, shift; uniform mediump float size;
        varying vec4 shade; void main() { gl_Position = vec4(place * factor + shift, 0.0, 1.0); gl_PointSize = size; shade = colour; }`],
      [gl.FRAGMENT_SHADER, `precision mediump float; varying vec4 shade; uniform mediump float size;
        void main() { float far = length(gl_PointCoord - 0.5) * size; float edge = clamp(size * 0.5 - far, 0.0, 1.0);
        if (edge <= 0.0) discard; gl_FragColor = vec4(shade.rgb, shade.a * edge); }`],
    ];
    for (const [kind, text] of shaders) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text); gl.compileShader(shader); gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) return false;
    gl.useProgram(program);
    this.at = name => gl.getUniformLocation(program, name);
    const buffer = (name, size, type) => {
      const made = gl.createBuffer(), spot = gl.getAttribLocation(program, name);
      gl.bindBuffer(gl.ARRAY_BUFFER, made); gl.enableVertexAttribArray(spot);
      gl.vertexAttribPointer(spot, size, type, type === gl.UNSIGNED_BYTE, 0, 0);
      return made;
    };
    buffer("place", 2, gl.FLOAT); gl.bufferData(gl.ARRAY_BUFFER, this.ordered(), gl.STATIC_DRAW);
    this.colours = buffer("colour", 4, gl.UNSIGNED_BYTE);
    gl.enable(gl.BLEND); gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    return true;
  }
  // Places in the order in which they are drawn.
  ordered() {
    const { order, places } = this;
    if (!order) return places;
    const out = new Float32Array(places.length);
    for (let at = 0; at < order.length; at++) { out[2 * at] = places[2 * order[at]]; out[2 * at + 1] = places[2 * order[at] + 1]; }
    return out;
  }
  // Light some documents and dim the others; null lights all.
  light(chosen) {
    for (let i = 0; i < this.n; i++) this.lit[i] = !chosen || chosen(i) ? 255 : 20;
    this.recolour();
  }
  recolour() {
    if (!this.gl) return;
    const data = new Uint8Array(4 * this.n), { order, column, lit } = this;
    for (let at = 0, to = 0; at < this.n; at++) {
      const i = order ? order[at] : at, colour = column.colour(i);
      data[to++] = colour[0]; data[to++] = colour[1]; data[to++] = colour[2]; data[to++] = lit[i];
    }
    this.gl.bindBuffer(this.gl.ARRAY_BUFFER, this.colours);
    this.gl.bufferData(this.gl.ARRAY_BUFFER, data, this.gl.DYNAMIC_DRAW);
  }
  // Draw the dots between two parts of all, from 0 to 1; what was drawn before is kept unless it begins anew.
  draw(view, ratio, from = 0, to = 1) {
    const { across, down, left, top } = view.factors();
    const crowd = Math.max(0.45, Math.min(1.5, Math.sqrt(4000 / (this.n + 1))));
    const size = Math.max(1.6, Math.min(12, 5.2 * crowd * Math.sqrt(view.scale)));
    const first = this.order ? Math.ceil(from * this.n) : 0, last = this.order ? Math.min(this.n, Math.ceil(to * this.n)) : this.n;
    if (!this.gl) return this.drawPlainly(view, ratio, size, first, last);
    const gl = this.gl;
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    if (!first) { gl.clearColor(0, 0, 0, 0); gl.clear(gl.COLOR_BUFFER_BIT); }
    gl.uniform2f(this.at("factor"), 2 * across / view.width, -2 * down / view.height);
    gl.uniform2f(this.at("shift"), 2 * left / view.width - 1, 1 - 2 * top / view.height);
    gl.uniform1f(this.at("size"), size * ratio + 1);
    gl.drawArrays(gl.POINTS, first, last - first);
  }
  drawPlainly(view, ratio, size, first, last) {
    const pen = this.pen;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0); if (!first) pen.clearRect(0, 0, view.width, view.height);
    for (let at = first; at < last; at++) {
      const i = this.order ? this.order[at] : at, [x, y] = view.pixel(this.places[2 * i], this.places[2 * i + 1]);
      pen.globalAlpha = this.lit[i] / 255; pen.fillStyle = Colours.text(this.column.colour(i));
      pen.fillRect(x - size / 2, y - size / 2, size, size);
    }
  }
}
