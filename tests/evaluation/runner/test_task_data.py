"""Each text is read and tokenised once, and scores are those of plain lists of texts."""

import numpy as np
import pytest

from psif.baselines import METHODS, make_method
from psif.evaluation import Documents, LabelledData, PairData, Pairs, Task, run
from psif.evaluation.metrics.similarity import cosines, similarity_metrics
from psif.evaluation.runner.build import MethodBuilder
from psif.evaluation.runner.protocols import find_protocol, method_settings
from psif.evaluation.scoring.classes import code_classes, score_vectors
from psif.evaluation.scoring.features import unit_features
from tests import corpora

SMALL = {"dim": 8, "min_count": 1}
VECTOR_METHODS = ["psif", "sif", "usif", "scdv", "bowv"]
METHODS_TO_COMPARE = [*VECTOR_METHODS, "tfidf", "lda", "boe"]
NAMES = list(corpora.GROUPS)


def labelled(**options):
    texts = corpora.texts(90)
    labels = [NAMES[i % 3] for i in range(90)]
    loads = []

    def load():
        loads.append(1)
        return LabelledData(
            Documents(texts[:50], labels[:50]),
            Documents(texts[50:], labels[50:]),
        )

    return Task("groups", "", "classes", load, "", "", **options), texts, loads


def pairs():
    texts = [f"{text} {i}" for i, text in enumerate(corpora.texts(40, seed=5))]
    scores = [float(i % 3 == i // 3 % 3) for i in range(10)]
    data = PairData(
        {"x": Pairs(texts[:10], texts[10:20], scores), "y": Pairs(texts[20:30], texts[30:], scores)}
    )
    return Task("pairs", "", "similarity", lambda: data, "", ""), texts


@pytest.fixture
def words():
    """A tokenizer that remembers the texts it was given."""

    def cut(text):
        cut.texts.append(text)
        return text.split()

    cut.texts = []
    return cut


@pytest.mark.parametrize("options", [{}, {"own_split": True}, {"folds": 5}])
def test_documents_are_read_and_tokenised_once_for_all_methods_protocols_and_splits(options, words):
    task, texts, loads = labelled(**options)
    report = run(
        [task], VECTOR_METHODS, protocols=["inductive", "paper"], n_splits=3, n_jobs=1,
        vectors="ppmi", measures=["classification", "retrieval"],
        options=SMALL | {"tokenizer": words},
    )  # fmt: skip
    assert report.failures == []
    assert len(loads) == 1
    assert sorted(words.texts) == sorted(texts)


def test_methods_without_vectors_share_the_words_too(words):
    task, texts, _ = labelled()
    names = ["tfidf", "bow", "tfidf-svd", "lda", "boe"]
    assert run([task], names, options={"tokenizer": words}).failures == []
    assert run([task], ["rwmd"], options=SMALL | {"tokenizer": words}).failures == []
    assert sorted(words.texts) == sorted(2 * texts)


def test_sentences_and_their_background_are_tokenised_once(words, monkeypatch):
    task, texts = pairs()
    background = [f"{text} background" for text in corpora.texts(60)]
    monkeypatch.setattr(
        "psif.evaluation.runner.task_data.background_sentences", lambda sample: background
    )
    monkeypatch.delenv("PSIF_DATA", raising=False)
    report = run(
        [task], ["psif", "sif", "usif", "rwmd"], protocols=["inductive", "paper"], vectors="ppmi",
        n_jobs=1, options=SMALL | {"tokenizer": words},
    )  # fmt: skip
    assert report.failures == []
    assert sorted(words.texts) == sorted(texts + background)


def test_a_sample_tokenises_the_sample_alone(words):
    task, _, _ = labelled()
    run([task], ["tfidf"], sample=20, options={"tokenizer": words})
    assert len(words.texts) == 40


def test_each_method_is_built_once(monkeypatch):
    built = []

    def spy(name, **settings):
        built.append(name)
        return make_method(name, **settings)

    monkeypatch.setattr("psif.evaluation.runner.build.make_method", spy)
    task, _, _ = labelled(own_split=True)
    run([task], ["tfidf", "sif"], n_splits=3, options=SMALL | {"tokenizer": "unicode"})
    # tfidf has no option "dim": it is refused when it is built.
    assert built == ["tfidf", "sif"]
    built.clear()
    run([task], ["sif", "average"], n_splits=3, options=SMALL)
    assert built == ["sif", "average"]


BOTH = [(name, rules) for name in METHODS_TO_COMPARE for rules in ("inductive", "paper")]


@pytest.mark.parametrize(("method", "protocol"), [*BOTH, ("psif-hybrid", "inductive")])
def test_scores_are_those_of_plain_lists(method, protocol):
    """The slow twin: fit on a list, transform lists, score the vectors."""
    task, _, _ = labelled()
    options = SMALL | {"vectors": "ppmi"} if METHODS[method].needs_word_vectors else {}
    if method.startswith("psif"):
        options |= {"n_topics": 3}
    rules = find_protocol(protocol)
    settings = method_settings(method, rules, "classification", options)
    model = make_method(method, **settings, random_state=0, n_jobs=1)
    data = task.load()
    train, test = data.train.texts, data.test.texts
    seen = train + test if protocol == "paper" and method != "boe" else train
    model.fit(seen, data.train.labels if method == "boe" else None)
    vectors = [unit_features(model.transform(texts)) for texts in (train, test)]
    expected = score_vectors(*vectors, code_classes(data), rules=rules.classifier).metrics
    report = run([task], [method], protocols=[protocol], options=options, n_jobs=1)
    assert report.failures == []
    assert {result.metric: result.score for result in report.results} == expected


def test_similarity_is_that_of_plain_lists(monkeypatch):
    monkeypatch.setattr(
        "psif.evaluation.runner.task_data.background_sentences", lambda sample: corpora.texts(60)
    )
    monkeypatch.delenv("PSIF_DATA", raising=False)
    task, _ = pairs()
    settings = method_settings("psif", find_protocol("inductive"), "similarity", SMALL)
    model = make_method("psif", **settings, random_state=0, n_jobs=1).fit(corpora.texts(60))
    report = run([task], ["psif"], options=SMALL, n_jobs=1)
    found = {(r.task, r.metric): r.score for r in report.results}
    every, together = {}, []
    for name, part in task.load().parts.items():
        predicted = cosines(model.transform(part.left), model.transform(part.right))
        for metric, value in similarity_metrics(part.scores, predicted).items():
            assert found[f"pairs/{name}", metric] == value
            every.setdefault(metric, []).append(value)
        together.append((part.scores, predicted))
    # The paper's form is the mean over sub-tasks, MTEB's one correlation over all pairs.
    assert found["pairs", "pearson"] == pytest.approx(np.mean(every["pearson"]))
    scores, cosine = (np.concatenate(side) for side in zip(*together, strict=True))
    pooled = similarity_metrics(scores, cosine)["spearman"]
    assert found["pairs", "pooled spearman"] == pooled
    assert found["pairs", "pooled spearman"] != found["pairs", "spearman"]


def test_phrases_reach_the_similarity_of_sentences(monkeypatch):
    """ "new york" is one word of the vocabulary, with a vector, in all that is compared."""
    texts = corpora.texts(90)
    background = ["new york", *(f"{text} new york" for text in texts[:24]), *texts[24:]]
    monkeypatch.setattr(
        "psif.evaluation.runner.task_data.background_sentences", lambda sample: background
    )
    monkeypatch.delenv("PSIF_DATA", raising=False)
    fitted = []
    fit_shared = MethodBuilder.fit_shared
    monkeypatch.setattr(
        MethodBuilder, "fit_shared",
        lambda self, texts: fitted.append(fit_shared(self, texts)) or fitted[-1],
    )  # fmt: skip
    data = PairData(
        {"x": Pairs(["new york", "new york", "ship"], ["new york", "bread", "oven"], [5, 1, 0])}
    )
    task = Task("cities", "", "similarity", lambda: data, "", "")
    report = run([task], ["psif"], options=SMALL | {"phrases": 1, "n_topics": 3, "unknown": "skip"})
    assert report.failures == []
    assert report.warnings == []
    (model,) = fitted
    assert "new_york" in model.vocabulary_.words
    assert model.similarity("new york", "new york") == pytest.approx(1)
