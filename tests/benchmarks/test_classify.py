from benchmarks.classify_targets import classify_targets
from benchmarks.report.classify import classify_sections

OURS = {
    "accuracy": 87.1, "documents_per_second": 12_000.0, "latency_us": 151.0, "model_mb": 19.0,
    "peak_mb": 1_300.0, "seconds": 30.0, "fit": {"cpu_seconds": 50.0}, "saved_accuracy": 87.0,
}  # fmt: skip


def test_every_bar_is_compared():
    results = {
        "classify/psif": OURS,
        "classify/tfidf-svc": {**OURS, "seconds": 9.0},
        **{
            f"classify/few/{name}": {"accuracy": score}
            for name, score in (("psif", 75.0), ("tfidf-svc", 71.0), ("model2vec", 72.5))
        },
        "classify/growth/1000000": {
            "documents": 10**6, "peak_mb": 3_900.0, "texts_mb": 700.0, "seconds": 100.0,
            "accuracy": 99.0,
        },
    }  # fmt: skip
    met = {target.text.partition(",")[0]: target.met for target in classify_targets(results, 2)}
    assert met == {
        "labels": True,
        "labels from raw text": True,
        "the label of one short text": False,
        "a classifier on disk": True,
        "training a classifier": False,  # 3.3 times the time of TF-IDF
        "labels with 1": False,  # 2.5 points above model2vec
        "training a classifier on a million documents": True,
    }
    peers, growth = classify_sections(results)
    assert [row[0] for row in peers.grid[1:]] == ["PSIFClassifier", "TF-IDF + LinearSVC"]
    assert peers.grid[1][1:3] == ["87.1", "75.0"]
    assert growth.grid[1][:3] == ["1,000,000", "100.0", "100"]


def test_nothing_is_said_where_nothing_was_measured():
    assert classify_targets({}, 2) == []
    assert all(section.empty for section in classify_sections({}))
