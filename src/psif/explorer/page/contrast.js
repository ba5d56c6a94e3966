"use strict";
// What tells two sets of documents apart: the squared distance of their mean vectors, split exactly over words and topics,
// as in psif.explain.contrast.
const Contrast = (() => {
  // Mean shares of the words of some documents, for the part of topics and for the part of single words.
  function meanShares(engine, rows) {
    const n = engine.names.length, topics = new Float64Array(n), own = new Float64Array(n), shares = engine.docShares;
    for (const doc of rows) {
      const t = engine.topicNorms[doc], l = engine.wordNorms ? engine.wordNorms[doc] : 0;
      if (!t) continue;
      const scale = 1 / (t * (l ? Math.hypot(1, engine.ratio) : 1)), ofWords = l ? scale * engine.ratio * t / l : 0;
      for (let i = engine.docStart[doc]; i < engine.docStart[doc + 1]; i++) {
        topics[engine.docWords[i]] += shares[i] * scale / rows.length; own[engine.docWords[i]] += shares[i] * ofWords / rows.length;
      }
    }
    return { topics, own };
  }
  function difference(a, b) {
    const ids = [], shares = [];
    for (let id = 0; id < a.length; id++) if (a[id] !== b[id]) { ids.push(id); shares.push(a[id] - b[id]); }
    return { ids: Uint32Array.from(ids), shares: Float64Array.from(shares) };
  }

  function of(engine, rowsA, rowsB, nWords = 20) {
    const a = meanShares(engine, rowsA), b = meanShares(engine, rowsB), n = engine.names.length;
    const topics = difference(a.topics, b.topics), own = difference(a.own, b.own);
    const gained = new Float64Array(n), larger = new Uint8Array(n).fill(1);
    const gains = engine.gains(topics).topics, ofWords = engine.hasColumn ? engine.gains(own).words : null;
    topics.ids.forEach((id, i) => { gained[id] += topics.shares[i] * gains[id]; });
    if (ofWords) own.ids.forEach((id, i) => { gained[id] += own.shares[i] * ofWords[id]; });
    for (let id = 0; id < n; id++) larger[id] = a.topics[id] - b.topics[id] + a.own[id] - b.own[id] >= 0 ? 1 : 0;
    const side = wanted => Arrays.largest(gained.map((share, id) => (larger[id] === wanted && share > 0 ? share : NaN)), nWords).map(([id, share]) => ({ word: engine.names[id], share }));
    const parts = Array.from({ length: engine.nTopics }, (_, topic) => ({ topic, first: 0, second: 0 }));
    let distance = 0;
    for (let id = 0; id < n; id++) if (gained[id]) {
      distance += gained[id];
      for (const [topic, weight] of engine.topicWeights(id)) parts[topic][larger[id] ? "first" : "second"] += weight * gained[id];
    }
    const first = side(1), second = side(0), sum = list => list.reduce((total, { share }) => total + share, 0);
    return { distance, first, second, other_words: distance - sum(first) - sum(second),
      topics: parts.slice(engine.nShared).sort((x, y) => Math.abs(y.first + y.second) - Math.abs(x.first + x.second) || x.topic - y.topic) };
  }
  return { of };
})();
