"""Why a number differs from the printed one by more than a point, or is not scored at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from psif.evaluation.paper.reproduction import Row

# A difference below this counts as reproduced.
CLOSE = 1.0
# Metrics of Reuters whose printed numbers cannot be of the same count, see MULTI_LABEL.
_INCOMPARABLE = ("P@5", "nDCG@5 (authors)", "coverage_error")

_AVERAGES = (
    "not the classifier (an SVM with C = 1 scores the same) but the word vectors, ours being of "
    "the set's own texts (ablation in docs/evaluation.md)"
)
# By method: what is known about differences from its printed numbers.
DIFFERS: Mapping[str, str] = {
    "average": _AVERAGES,
    "tfidf-average": _AVERAGES,
    "sif": f"{_AVERAGES}; with GloVe vectors, as in the paper, it has the printed numbers of "
    "BBCSport and Classic",
    "bow": "printed without its settings; ours has C chosen by folds",
    "boc": "the paper does not print the number of concepts; ours has 200. Shuffled skip-gram "
    "vectors alone moved it from 71.5 to 75.9",
    "bowv": "the classifier: an SVM with C = 1 gives 81.4 on 20 Newsgroups",
    "twe": "documents are shuffled for skip-gram training (class by class: 82.6 on 20 Newsgroups), "
    "and topics are sampled",
    "randhash": "documents are shuffled for skip-gram training (class by class: 84.1, which is "
    "within a point)",
    "tv-meanwv": "the mean word vector decides; ours has skip-gram vectors of this corpus, the "
    "original topic vectors that were trained elsewhere",
    "wme": "relaxed in place of exact transport, 512 random documents in place of up to 4,096, "
    "nothing tuned by set; exact transport would take days",
    "p-means": "the paper does not say which means and which scaling it uses; ours gives each mean "
    "unit length, which gained 0.8 points on development documents",
    "scdv": "printed from its own paper, with its own word vectors; ours has the protocol's",
    "doc2vecc": "ours has the published settings (ablation in docs/evaluation.md) and a linear SVM "
    "with C chosen by folds; how the printed numbers of the eight sets were trained is not known",
    "psif-doc2vecc": "as for doc2vecc",
    "lda": "Gibbs sampling as published; the number of sweeps is not printed",
    "psif": "Twitter and Amazon miss words that occur less than 20 times, Amazon and Recipe-L the "
    "weights of the authors' program, which differ from the paper's: with a minimum count of 5, "
    "on Amazon and Recipe-L also these weights, all three are within a point (ablation in "
    "docs/evaluation.md); the paper prints two numbers for 20 Newsgroups, 85.4 and 79.15",
    "psif-plain": "fitted on training documents alone; the printed numbers see the test documents",
    **dict.fromkeys(
        ("pv-dm", "pv-dbow"),
        "the paper prints no settings beside 400 numbers; ours has ten passes and infers the "
        "vectors of all documents; on held-out documents of R8, 40 passes were no better",
    ),
}
# Reuters: one reason for all methods.
SEVERAL_LABELS = (
    "Reuters: the classifier. Most of the printed P@1 and F1 lie between logistic regression "
    "with C = 1 and the C that a fold chooses, ours (ablation in docs/evaluation.md). The paper "
    "does not say how its F1 is averaged; ours is the micro average."
)
# Similarity of sentences: one reason for all methods.
OTHER_VECTORS = (
    "Similarity: the printed numbers have PSL vectors, which are not available, and settings "
    "chosen on the test scores for each sub-task; ours have one setting and the vectors "
    "named above."
)
# Beside MTEB's form: from the results in the repository of model2vec, November 2026.
STATIC_MODELS = (
    "Published for static models, mean over MTEB's ten English tasks of sentence pairs: "
    "potion-base-32M 74.2, potion-base-8M 73.2, M2V_base_output 68.6, GloVe of 300 numbers "
    "61.9, BPEmb 55.1. Five of the ten are those above, so the means are near to each other, not "
    "the same: all-MiniLM-L6-v2 has 78.9 there and 78.6 on these five (results/mteb.md)."
)
LEARNED = (
    "The printed numbers have PSL vectors, which were trained on paraphrases and are not "
    "available; ours have the vectors named above."
)
MULTI_LABEL = (
    "P@5, nDCG@5 and coverage error: documents have 1.26 labels on average, so P@5 is at most 25; "
    "the printed 37 needs another count."
)
# By a metric of the table, where all of its differences have one cause.
_ONE_REASON = {"pearson": OTHER_VECTORS, "supervised pearson": LEARNED}

# By printed name: why a row is only as published.
PUBLISHED_ONLY: Mapping[str, str] = {
    "BERT (pr)": "the pre-trained model is not available here",
    "ELMo": "the pre-trained model is not available here",
    "NTSG": "no public program; printed from its paper",
    "LTSG": "no public program; printed from its paper",
    "WTM": "no public program; printed from its paper",
    "w2v-LDA": "represented by TV+MeanWV, which also joins topics and word vectors",
    "MvTM": "no public program; printed from its paper",
    "Lda2Vec": "printed from its paper",
    "KNN-WMD": "on 20 Newsgroups and Recipe-L, where distances take an estimated hour or more",
}


def footnotes(rows: Sequence[Row], protocol: str = "paper") -> list[str]:
    """One line per method whose numbers differ from the printed ones by more than a point."""
    notes = []
    by_method: dict[str, list[Row]] = {}
    for row in rows:
        difference = _difference(row, protocol)
        if difference is not None and abs(difference) > CLOSE:
            by_method.setdefault(row.method, []).append(row)
    metrics = {row.metric for row in rows}
    for metric, reason in _ONE_REASON.items():
        if metric in metrics:
            return [reason] if by_method else []
    if "coverage_error" in metrics:
        return [*([SEVERAL_LABELS] if by_method else []), MULTI_LABEL]
    for method, own in by_method.items():
        differences = [row.difference(protocol) or 0.0 for row in own]
        largest = max(differences, key=abs)
        notes.append(
            f"{method}: {len(own)} of its numbers differ by more than a point (by up to "
            f"{largest:+.1f}): {DIFFERS.get(method, 'not explained')}."
        )
    return notes


def counted(rows: Sequence[Row], protocol: str = "paper") -> tuple[int, int]:
    """How many printed numbers are within a point, and how many are compared."""
    differences = [_difference(row, protocol) for row in rows]
    known = [difference for difference in differences if difference is not None]
    return sum(abs(difference) <= CLOSE for difference in known), len(known)


def _difference(row: Row, protocol: str) -> float | None:
    return None if row.metric in _INCOMPARABLE else row.difference(protocol)
