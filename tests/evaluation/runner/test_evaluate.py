import json
import os
from dataclasses import replace

import numpy as np
import pytest

from psif import WordVectors
from psif.baselines import make_method
from psif.errors import InputError
from psif.evaluation import Documents, LabelledData, PairData, Pairs, Task, labelled_files, run
from psif.evaluation.runner.build import MethodBuilder
from psif.evaluation.runner.cache_key import vectors_key
from psif.evaluation.runner.protocols import find_protocol, method_settings
from psif.evaluation.runner.table import result_table
from psif.model.presets import preset
from tests import corpora

SMALL = {"dim": 8, "min_count": 1}


def documents(n_docs, seed):
    names = list(corpora.GROUPS)
    return Documents(corpora.texts(n_docs, seed=seed), [names[i % 3] for i in range(n_docs)])


def class_task(name="groups", **options):
    data = LabelledData(documents(60, 0), documents(30, 1))
    return Task(name, "groups of words", "classes", lambda: data, "here", "none", **options)


def label_task():
    def part(n_docs, seed):
        found = documents(n_docs, seed)
        labels = [(label, "odd") if i % 2 else (label,) for i, label in enumerate(found.labels)]
        return Documents(found.texts, labels)

    data = LabelledData(part(60, 0), part(30, 1))
    return Task("marks", "groups of words", "labels", lambda: data, "here", "none")


def pair_task(kind="similarity"):
    texts = corpora.texts(90, seed=5)

    def part(start):
        left = texts[start : start + 15]
        right = [texts[(start + 3 * i) % 90] for i in range(15)]
        alike = [5.0 if (start + i) % 3 == (start + 3 * i) % 90 % 3 else 1.0 for i in range(15)]
        return Pairs(left, right, alike, ["YES" if score > 3 else "NO" for score in alike])

    parts = {"x": part(0), "y": part(15)} if kind == "similarity" else {"test": part(0)}
    data = PairData(parts, part(30), part(45))
    return Task("pairs", "pairs", kind, lambda: data, "here", "none")


def one_method(task, method="psif", **options):
    options = {"options": SMALL | {"n_topics": 3}, **options} if method == "psif" else options
    report = run([task], [method], **options)
    assert report.failures == []
    return {result.metric: result for result in report.results if "/" not in result.task}


@pytest.fixture(autouse=True)
def no_data(request, monkeypatch):
    """These tasks bring their own data; similarity learns from a small background."""
    if "with_data" in request.fixturenames:
        return
    monkeypatch.delenv("PSIF_DATA", raising=False)
    monkeypatch.setattr(
        "psif.evaluation.runner.task_data.background_sentences", lambda sample: corpora.texts(60)
    )


@pytest.fixture
def with_data():
    if not os.environ.get("PSIF_DATA"):
        pytest.skip("PSIF_DATA names no folder with the evaluation sets")


@pytest.mark.parametrize("method", ["psif", "tfidf", "rwmd"])
def test_groups_of_words_are_told_apart(method):
    options = {"options": SMALL} if method == "rwmd" else {}
    found = one_method(class_task(), method, **options)
    assert found["accuracy"].score > 95
    assert list(found) == ["accuracy", "precision", "recall", "f1"]


def test_retrieval_and_clustering_are_measured_when_asked_for():
    found = one_method(class_task(), measures=["retrieval", "clustering"])
    assert found["retrieval P@10"].score > 90
    assert set(found) == {
        "retrieval P@1", "retrieval P@10", "retrieval mAP", "k-NN accuracy",
        "V-measure", "NMI", "ARI",
    }  # fmt: skip


def test_several_labels():
    found = one_method(label_task(), "tfidf")
    assert found["P@1"].score > 90
    assert found["nDCG@5 (authors)"].score < found["nDCG@5"].score


def test_a_development_set_chooses_c():
    data = LabelledData(documents(60, 0), documents(30, 1), documents(30, 2))
    task = Task("groups", "groups of words", "classes", lambda: data, "here", "none")
    assert one_method(task, "tfidf")["accuracy"].score > 95


def test_two_classes_have_one_boundary():
    def part(seed):
        found = documents(60, seed)
        return found.take([i for i in range(60) if i % 3])

    data = LabelledData(part(0), part(1))
    task = Task("two", "two groups", "classes", lambda: data, "here", "none")
    assert one_method(task, "tfidf")["accuracy"].score > 95


def test_similarity_is_the_mean_over_parts():
    report = run([pair_task()], ["psif"], options=SMALL | {"n_topics": 2}, protocols=["inductive"])
    pearson = {r.task: r.score for r in report.results if r.metric == "pearson"}
    assert pearson["pairs"] == pytest.approx((pearson["pairs/x"] + pearson["pairs/y"]) / 2)
    assert pearson["pairs"] > 60


@pytest.mark.parametrize(
    ("kind", "metric"), [("relatedness", "supervised pearson"), ("entailment", "accuracy")]
)
def test_pairs_are_learned(kind, metric):
    assert metric in one_method(pair_task(kind), "tfidf")


def test_distances_serve_similarity_but_not_learning():
    assert one_method(pair_task(), "rwmd", options=SMALL)["pearson"].score > 50
    report = run([pair_task("entailment")], ["rwmd"], options=SMALL)
    assert "has no vectors to learn from" in report.failures[0].reason


def seen_texts(monkeypatch, task, protocol):
    """What the method was fitted on."""
    seen = []
    original = MethodBuilder.fit

    def spy(self, texts, labels=None):
        seen.extend(texts)
        return original(self, texts, labels)

    monkeypatch.setattr(MethodBuilder, "fit", spy)
    one_method(task, "tfidf", protocols=[protocol])
    return set(seen)


def test_inductive_never_sees_a_test_document(monkeypatch):
    task = class_task()
    test = set(task.load().test.texts)
    assert not seen_texts(monkeypatch, task, "inductive") & test
    assert seen_texts(monkeypatch, task, "paper") >= test


def test_inductive_similarity_never_sees_a_test_sentence(monkeypatch):
    test = set(pair_task().load().parts["x"].texts)
    assert not seen_texts(monkeypatch, pair_task(), "inductive") & test
    assert seen_texts(monkeypatch, pair_task(), "paper") >= test


def test_what_similarity_tasks_share_is_learned_once(monkeypatch):
    fits = []
    original = MethodBuilder.fit
    monkeypatch.setattr(
        MethodBuilder,
        "fit",
        lambda self, *args: fits.append(self.protocol.name) or original(self, *args),
    )
    other = pair_task("relatedness")
    run([pair_task(), Task("other", "", "relatedness", other.load, "", "")], ["tfidf"])
    assert fits == ["inductive"]


def test_a_split_of_ours_is_drawn_several_times():
    found = one_method(class_task(own_split=True), "tfidf", n_splits=3)["accuracy"]
    assert found.n_runs == 3
    assert found.deviation is not None


def test_a_task_that_fails_does_not_stop_the_others():
    def broken():
        raise InputError("no such thing here")

    bad = Task("bad", "broken", "classes", broken, "here", "none")
    lines = []
    report = run([bad, class_task()], ["tfidf"], tell=lines.append)
    assert [failure.task for failure in report.failures] == ["bad"]
    assert report.failures[0].reason == "no such thing here"
    assert {result.task for result in report.results} == {"groups"}
    assert "[1 of 2] bad, tfidf, inductive: failed" in lines


def test_results_are_found_again(tmp_path, monkeypatch):
    first = run([class_task()], ["tfidf"], cache=tmp_path)
    monkeypatch.setattr("psif.evaluation.runner.evaluate._score", None)
    lines = []
    again = run([class_task()], ["tfidf"], cache=tmp_path, tell=lines.append)
    assert again.results == first.results
    assert lines == ["groups, tfidf, inductive: known already"]


def test_other_settings_or_damaged_files_are_not_found_again(tmp_path):
    run([class_task()], ["tfidf"], cache=tmp_path)
    run([class_task()], ["tfidf"], cache=tmp_path, random_state=1)
    files = list(tmp_path.glob("*.json"))
    assert len(files) == 2
    for file in files:
        file.write_text("{", encoding="utf-8")
    report = run([class_task()], ["tfidf"], cache=tmp_path)
    assert report.results
    assert (
        sum(
            json.loads(f.read_text())["key"]["random_state"] == 0
            for f in files
            if f.read_text() != "{"
        )
        == 1
    )


def test_vectors_are_told_apart_by_content(tmp_path):
    file = tmp_path / "v.txt"
    file.write_text("a 1\n")
    before = vectors_key(str(file))
    os.utime(file, (1, 1))
    assert vectors_key(str(file)) == before
    file.write_text("a 2\n")
    assert vectors_key(str(file)) != before
    assert vectors_key(corpora.vectors(seed=0)) != vectors_key(corpora.vectors(seed=1))
    assert (vectors_key(None), vectors_key("sgns")) == ("default", "sgns")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"methods": ["psiff"]}, "no method is called 'psiff'. Did you mean 'psif'"),
        ({"protocols": ["inductiv"]}, "no protocol is called 'inductiv'. Did you mean 'inductive'"),
        ({"measures": ["cluster"]}, "no measure is called 'cluster'. Did you mean 'clustering'"),
        ({"n_splits": 0}, "n_splits must be 1 or more; got 0"),
    ],
)
def test_unknown_names_are_refused_before_any_work(options, message):
    with pytest.raises(InputError) as caught:
        run([class_task()], **options)
    assert message in str(caught.value)


def test_poor_coverage_is_told_with_the_figure():
    known = corpora.vectors()
    report = run([class_task()], ["average"], vectors=known)
    assert report.warnings == []
    few = type(known)(known.words[:12], known.matrix[:12])
    report = run([class_task()], ["average"], vectors=few)
    assert any("the word vectors know only" in text and "%" in text for text in report.warnings)


def test_a_table_of_vectors_is_read_once(tmp_path, monkeypatch):
    known = corpora.vectors()
    known.save(tmp_path / "table")
    calls = []
    load = type(known).load
    monkeypatch.setattr(type(known), "load", lambda path: calls.append(path) or load(path))
    report = run([class_task(own_split=True)], ["average"], vectors=str(tmp_path / "table"))
    assert report.failures == []
    assert len(calls) == 1
    with pytest.raises(InputError, match=r"'nowhere\.txt'"):
        run([class_task()], ["average"], vectors="nowhere.txt")


def test_protocols_give_the_settings_they_name():
    inductive, paper = find_protocol("inductive"), find_protocol("paper")
    # All methods have the same tokens; the hybrid has the preset's columns of words, psif none.
    ours, hybrid = (
        method_settings(method, inductive, "classification", {})
        for method in ("psif", "psif-hybrid")
    )
    wanted = preset("classification") | {"tokenizer": "paper"}
    assert wanted.items() <= hybrid.items()
    assert ours == {name: hybrid[name] for name in hybrid if name != "word_columns"}
    assert method_settings("tfidf", inductive, "classification", {})["tokenizer"] == "paper"
    settings = method_settings("psif", paper, "classification", {})
    assert (settings["vectors"], settings["n_topics"], settings["a"]) == ("sgns", 40, 1e-3)
    given = method_settings("sif", paper, "classification", {"vectors": corpora.vectors()})
    assert "train_options" not in given
    assert method_settings("psif-gmm", paper, "similarity", {})["partition"] == "gmm"
    # No setting of the presets reaches the method for partitions alone.
    plain, sif = (method_settings(m, inductive, "similarity", {}) for m in ("psif-plain", "sif"))
    assert plain == sif
    assert "vectors" not in method_settings("tfidf", paper, "classification", {})
    # Doc2VecC as its authors train it; features on a scale for classifiers, not for cosines.
    trained = method_settings("psif-doc2vecc", paper, "classification", {})
    assert (trained["train_options"]["epochs"], trained["min_count"]) == (100, 5)
    assert (trained["weighting"], trained["word_norm"]) == ("idf", "none")
    assert "train_options" not in method_settings("doc2vecc", inductive, "classification", {})
    assert method_settings("wme", inductive, "classification", {})["center"]
    assert "center" not in method_settings("wme", inductive, "similarity", {})


def test_own_files_in_folds_and_with_a_test(tmp_path):
    found = documents(60, 0)
    rows = [{"text": t, "kind": g} for t, g in zip(found.texts, found.labels, strict=True)]
    file = tmp_path / "mine.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    result = one_method(labelled_files(file, label_column="kind"), "tfidf")["accuracy"]
    assert (result.task, result.n_runs) == ("mine", 5)
    assert result.score > 95
    both = labelled_files(file, file, label_column="kind")
    assert one_method(both, "tfidf")["accuracy"].n_runs == 1
    report = run([labelled_files(file)], ["tfidf"])
    assert "no column 'label'" in report.failures[0].reason
    with pytest.raises(InputError, match="no such file"):
        labelled_files(tmp_path / "other.csv")


def test_one_class_is_not_enough():
    data = LabelledData(Documents(["a", "b"], ["x", "x"]), Documents(["a"], ["x"]))
    task = Task("one", "one class", "classes", lambda: data, "here", "none")
    assert "2 or more are needed" in run([task], ["tfidf"]).failures[0].reason


def test_the_table_shows_the_difference():
    task = class_task("bbcsport", own_split=True)
    report = run([task], ["psif"], n_splits=2, options=SMALL | {"n_topics": 2})
    line = next(line for line in result_table(report.results).splitlines() if "accuracy" in line)
    result = report.results[0]
    assert f"{result.score:.2f} ± {result.deviation:.2f}" in line
    assert f"{result.score - 99.05:+.2f}" in line
    assert np.isclose(result.to_dict()["difference"], result.score - 99.05)


def test_a_sample_is_not_compared():
    report = run([class_task("bbcsport")], ["psif"], sample=40, options=SMALL | {"n_topics": 2})
    assert report.results[0].published == 99.05
    assert report.results[0].difference is None
    assert "At most 40 documents of each split: not comparable." in result_table(report.results)


def test_every_class_has_its_rows_when_asked_for():
    report = run([class_task()], ["tfidf"], per_class=True)
    rows = {(r.task, r.metric): r.score for r in report.results}
    recalls = [rows[f"groups/{name}", "recall"] for name in corpora.GROUPS]
    assert np.mean(recalls) == pytest.approx(rows["groups", "recall"])


def test_a_small_sample_of_a_real_set(with_data):
    report = run(["bbcsport"], ["tfidf"], sample=100, n_splits=1)
    assert report.failures == []
    assert report.results[0].score > 80
    assert report.results[0].published is None  # the paper has no TF-IDF there


def test_a_document_without_a_label_is_refused(tmp_path):
    from psif import InputError

    file = tmp_path / "own.jsonl"
    file.write_text('{"text": "a b", "label": "x"}\n{"text": "c d", "label": null}\n')
    with pytest.raises(InputError, match="some rows have no 'label'"):
        labelled_files(file).load()


def test_new_defaults_do_not_meet_old_results(tmp_path, monkeypatch):
    options = {"cache": tmp_path, "options": SMALL | {"n_topics": 3}}
    run([class_task()], ["psif"], **options)
    lines = []
    run([class_task()], ["psif"], tell=lines.append, n_jobs=1, **options)
    assert lines == ["groups, psif, inductive: known already"]
    lines.clear()
    rules = find_protocol("inductive")
    monkeypatch.setitem(rules.psif["classification"], "weighting", "sif")
    run([class_task()], ["psif"], tell=lines.append, **options)
    assert "known already" not in " ".join(lines)


def test_general_vectors_are_for_single_sentences(monkeypatch):
    words = sorted({word for text in corpora.texts(90) for word in text.split()})
    table = WordVectors(words, np.eye(len(words), 9, dtype=np.float32) + 0.1)
    used = []

    def spy(name, **settings):
        used.append(settings.get("vectors"))
        return make_method(name, **settings)

    monkeypatch.setattr("psif.evaluation.runner.build.make_method", spy)
    run([class_task()], ["average"], general_vectors=table, options=SMALL)
    assert used
    assert all(vectors is None for vectors in used)
    used.clear()
    task = replace(class_task(), general_vectors=True)
    assert run([task], ["average"], general_vectors=table).failures == []
    assert all(vectors is table for vectors in used)


def test_neighbours_are_sought_with_settings_of_their_own(monkeypatch):
    made = []

    def spy(name, **settings):
        made.append(settings.get("smoothing"))
        return make_method(name, **settings)

    monkeypatch.setattr("psif.evaluation.runner.build.make_method", spy)
    options = {"options": SMALL | {"n_topics": 3}}
    both = run([class_task()], ["psif"], measures=["classification", "clustering"], **options)
    assert made == ["none", "documents"]
    made.clear()
    alone = run([class_task()], ["psif"], **options)
    assert made == ["none"]
    found = {row.metric: row.score for row in both.results}
    assert "V-measure" in found
    assert {row.metric: row.score for row in alone.results}.items() <= found.items()
    made.clear()
    run([class_task()], ["psif"], measures=["retrieval"], **options)
    assert made == ["documents"]


def test_the_former_name_of_a_protocol_is_understood():
    assert find_protocol("honest") is find_protocol("inductive")
    report = run([class_task()], ["tfidf"], protocols=["honest", "inductive"])
    assert {result.protocol for result in report.results} == {"inductive"}
    assert len(report.results) == 4


def test_another_trainer_does_not_get_the_options_of_the_protocols_trainer():
    paper, inductive = find_protocol("paper"), find_protocol("inductive")
    assert method_settings("sif", paper, "classification", {})["train_options"]["negative"] == 10
    other = method_settings("sif", paper, "classification", {"vectors": "ppmi"})
    assert "train_options" not in other
    assert other["min_count"] == 20
    same = method_settings("sif", paper, "classification", {"vectors": "sgns"})
    assert same["train_options"]["negative"] == 10
    # Limits of the words hold for any trainer.
    ours = method_settings("psif", inductive, "classification", {"vectors": "sgns"})
    assert ours["train_options"] == preset("classification")["train_options"]
    mine = {"vectors": "ppmi", "train_options": {"window": 3}}
    given = method_settings("sif", paper, "classification", mine)
    assert given["train_options"] == {"window": 3}


def test_the_hybrid_is_for_documents_under_the_inductive_protocol():
    report = run([class_task()], ["psif-hybrid"], protocols=["paper"])
    assert (
        "has no settings for classification under the protocol paper" in report.failures[0].reason
    )
    report = run([pair_task()], ["psif-hybrid"])
    assert "it is for documents under the protocol inductive" in report.failures[0].reason


def test_the_classifier_that_users_get_is_the_one_that_is_scored():
    options = {"n_topics": 2, "dim": 4, "min_count": 1}
    task = class_task()
    report = run([task], ["psif-classifier"], options=options, random_state=0)
    assert not report.failures
    data = task.load()
    clf = make_method("psif-classifier", random_state=0, **options)
    clf.fit(data.train.texts, list(data.train.labels))
    accuracy = 100 * clf.score(data.test.texts, list(data.test.labels))
    assert report.results[0].metric == "accuracy"
    assert report.results[0].score == pytest.approx(accuracy)
    found = run([label_task()], ["psif-classifier"], options=options).results
    assert {result.metric: result.score for result in found}["P@1"] > 90


def test_the_classifier_has_no_similarity_and_one_protocol():
    for tasks, protocol in (([pair_task()], "inductive"), ([class_task()], "paper")):
        report = run(tasks, ["psif-classifier"], protocols=[protocol])
        assert "psif-classifier labels documents under the protocol inductive" in (
            report.failures[0].reason
        )
