"use strict";
// A score split exactly over topics and word pairs; the same sums as psif.explain makes.
const Split = (() => {
  const MOST = 500;
  const length = x => Math.sqrt(dot(x, x));
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
      let total = 0, most = 0, best = 0;
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

  // Heaviest words of a side: what a pair with them can add is bounded by the length of their part.
  function heaviest(engine, side, columns) {
    const rows = Array.from(side.ids, (id, i) => {
      const codes = denseCodes(engine, id), v = engine.vector(id), share = side.shares[i], column = columns[i];
      return { id, share, codes, v, column, bound: Math.hypot(share * length(codes) * length(v), column) };
    });
    return rows.sort((x, y) => y.bound - x.bound).slice(0, MOST);
  }

  function strongestPairs(engine, rows, columns, unit, number) {
    let kept = [], floor = 0;
    for (const w of rows) {
      for (const u of columns) {
        if (w.bound * u.bound * unit < floor) break;
        const same = w.id === u.id ? w.column * u.column : 0;
        const share = (w.share * u.share * dot(w.codes, u.codes) * dot(w.v, u.v) + same) * unit;
        if (Math.abs(share) >= floor) kept.push({ a: engine.names[w.id], b: engine.names[u.id], share });
      }
      if (kept.length > 4 * number) {
        kept = kept.sort(byShare).slice(0, number);
        floor = Math.abs(kept[number - 1].share);
      }
    }
    return kept.sort(byShare).slice(0, number);
  }

  // What each word of a side has in its column once that part of its document has its length.
  function scaledColumns(engine, side, t) {
    const columns = engine.columnsOf(side), l = length(columns);
    return columns.map(value => (l ? value * engine.ratio * t / l : 0));
  }

  // Adds to the shares of words what each has by standing in the other document too.
  function addSame(engine, first, a, columnsA, second, b, columnsB, unit) {
    const inB = new Map(Array.from(b.ids, (id, i) => [id, columnsB[i]]));
    let total = 0;
    a.ids.forEach((id, i) => {
      const share = columnsA[i] * (inB.get(id) || 0) * unit, name = engine.names[id];
      if (!share) return;
      first.shares[name] += share; second.shares[name] += share; total += share;
    });
    return total;
  }

  function byShare(x, y) { return Math.abs(y.share) - Math.abs(x.share); }

  function topicParts(engine, ma, mb, unit, byTopic) {
    return Array.from({ length: engine.nTopics }, (_, topic) => {
      const from = topic * engine.dim, to = from + engine.dim;
      const words = [...(byTopic[topic] || [])].filter(([, share]) => share).sort((x, y) => Math.abs(y[1]) - Math.abs(x[1])).slice(0, 5);
      return { topic, share: dot(ma.subarray(from, to), mb.subarray(from, to)) * unit, words: words.map(([id]) => engine.names[id]) };
    }).sort(byShare);
  }

  // Cosine of the compact vectors of two sides.
  function compactScore(engine, a, b) {
    const za = engine.compact(a), zb = engine.compact(b), first = engine.hasColumn ? engine.first : engine.width;
    const parts = z => [z.subarray(0, first), z.subarray(first)], [ta, la] = parts(za), [tb, lb] = parts(zb);
    return engine.cosine(dot(ta, tb), dot(la, lb), { t: length(ta), l: length(la) }, { t: length(tb), l: length(lb) });
  }

  function explain(engine, a, b, number = 60) {
    const ma = engine.matrix(a), mb = engine.matrix(b), ca = engine.commonOf(a), cb = engine.commonOf(b);
    const ta = norm(ma, ca), tb = norm(mb, cb);
    const columnsA = scaledColumns(engine, a, ta), columnsB = scaledColumns(engine, b, tb);
    const scale = Math.hypot(ta, length(columnsA)) * Math.hypot(tb, length(columnsB)), unit = scale ? 1 / scale : 0, byTopic = {};
    const first = wordShares(engine, a, mb, unit, byTopic), second = wordShares(engine, b, ma, unit, byTopic);
    const same = addSame(engine, first, a, columnsA, second, b, columnsB, unit);
    const topics = topicParts(engine, ma, mb, unit, byTopic);
    const removed = -dot(ca, cb) * unit, sum = topics.reduce((total, topic) => total + topic.share, 0) + same;
    const score = engine.table ? compactScore(engine, a, b) : sum + removed;
    const pairs = unit ? strongestPairs(engine, heaviest(engine, a, columnsA), heaviest(engine, b, columnsB), unit, number) : [];
    return {
      score, topics, same_words: same, removed, residual: score - sum - removed, pairs,
      other_pairs: sum - pairs.reduce((total, pair) => total + pair.share, 0),
      words_a: first.shares, words_b: second.shares, word_topics_a: first.topics, word_topics_b: second.topics,
    };
  }
  return { explain, norm, length };
})();
