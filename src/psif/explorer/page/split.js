"use strict";
// A score split exactly over topics and word pairs; the same sums as psif.explain makes.
const Split = (() => {
  const MOST = 500;
  const dot = (x, y) => { let sum = 0; for (let i = 0; i < x.length; i++) sum += x[i] * y[i]; return sum; };

  // Length of a document once its common parts are removed.
  function norm(matrix, common) {
    const before = dot(matrix, matrix), after = before - dot(common, common);
    return after > 1e-12 * before ? Math.sqrt(after) : 0;
  }

  // Share of each word against a whole document, its strongest topic, and shares by topic.
  function wordShares(engine, side, other, unit, byTopic) {
    const shares = Object.create(null), topics = Object.create(null);
    side.ids.forEach((id, i) => {
      let total = 0, most = -1, best = 0;
      for (let c = engine.codeStart[id]; c < engine.codeStart[id + 1]; c++) {
        const topic = engine.codeTopics[c], row = other.subarray(topic * engine.dim, (topic + 1) * engine.dim);
        const share = side.shares[i] * engine.codeValues[c] * dot(row, engine.vector(id)) * unit;
        total += share;
        (byTopic[topic] ??= new Map()).set(id, (byTopic[topic].get(id) || 0) + share);
        if (Math.abs(share) > most) { most = Math.abs(share); best = topic; }
      }
      shares[engine.names[id]] = total; topics[engine.names[id]] = best;
    });
    return { shares, topics };
  }

  function denseCodes(engine, id) {
    const out = new Float64Array(engine.nTopics);
    for (let c = engine.codeStart[id]; c < engine.codeStart[id + 1]; c++) out[engine.codeTopics[c]] = engine.codeValues[c];
    return out;
  }

  // Heaviest words of a side: what a pair with them can add is bounded by s‖α‖‖v‖.
  function heaviest(engine, side) {
    const rows = Array.from(side.ids, (id, i) => {
      const codes = denseCodes(engine, id), v = engine.vector(id);
      return { id, share: side.shares[i], codes, v, bound: side.shares[i] * Math.sqrt(dot(codes, codes) * dot(v, v)) };
    });
    return rows.sort((x, y) => y.bound - x.bound).slice(0, MOST);
  }

  function strongestPairs(engine, a, b, unit, number) {
    let kept = [], floor = 0;
    const columns = heaviest(engine, b);
    for (const w of heaviest(engine, a)) {
      for (const u of columns) {
        if (w.bound * u.bound * unit < floor) break;
        const share = w.share * u.share * dot(w.codes, u.codes) * dot(w.v, u.v) * unit;
        if (Math.abs(share) >= floor) kept.push({ a: engine.names[w.id], b: engine.names[u.id], share });
      }
      if (kept.length > 4 * number) {
        kept = kept.sort((x, y) => Math.abs(y.share) - Math.abs(x.share)).slice(0, number);
        floor = Math.abs(kept[number - 1].share);
      }
    }
    return kept.sort((x, y) => Math.abs(y.share) - Math.abs(x.share)).slice(0, number);
  }

  function explain(engine, a, b, number = 60) {
    const ma = engine.matrix(a), mb = engine.matrix(b), ca = engine.commonOf(a), cb = engine.commonOf(b);
    const scale = norm(ma, ca) * norm(mb, cb), unit = scale ? 1 / scale : 0, byTopic = {};
    const first = wordShares(engine, a, mb, unit, byTopic), second = wordShares(engine, b, ma, unit, byTopic);
    const topics = Array.from({ length: engine.nTopics }, (_, topic) => {
      const from = topic * engine.dim, to = from + engine.dim;
      const words = [...(byTopic[topic] || [])].sort((x, y) => Math.abs(y[1]) - Math.abs(x[1])).slice(0, 5);
      return { topic, share: dot(ma.subarray(from, to), mb.subarray(from, to)) * unit, words: words.map(([id]) => engine.names[id]) };
    }).sort((x, y) => Math.abs(y.share) - Math.abs(x.share));
    const removed = -dot(ca, cb) * unit, sum = topics.reduce((total, topic) => total + topic.share, 0);
    let score = sum + removed;
    if (engine.table) {
      const za = engine.compact(a), zb = engine.compact(b), long = Math.hypot(...za) * Math.hypot(...zb);
      score = long ? dot(za, zb) / long : 0;
    }
    const pairs = unit ? strongestPairs(engine, a, b, unit, number) : [];
    return {
      score, topics, removed, residual: score - sum - removed, pairs,
      other_pairs: sum - pairs.reduce((total, pair) => total + pair.share, 0),
      words_a: first.shares, words_b: second.shares, word_topics_a: first.topics, word_topics_b: second.topics,
    };
  }
  return { explain, norm };
})();
