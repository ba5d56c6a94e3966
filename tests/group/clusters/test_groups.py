import json

import numpy as np
import pytest
from sklearn.metrics import homogeneity_score, v_measure_score

from psif import PSIF, FormatError, Groups, InputError
from psif.group.clusters.describing import names_of, wide_levels
from psif.group.clusters.graph import modularity, neighbour_graph
from psif.group.clusters.rule import cluster, learn_rule
from tests.cli.conftest import SUBJECTS, make_docs

SMALL = {"n_topics": 3, "dim": 8, "min_count": 1, "random_state": 0, "n_jobs": 1}
KINDS = [{}, {"n_dims": 8}, {"word_columns": 0.3}, {"word_columns": 0.3, "n_dims": 12}]
DOCS = make_docs(90)
TEXTS = [doc["text"] for doc in DOCS]
CLASSES = [doc["id"].split("-")[0] for doc in DOCS]

pytestmark = pytest.mark.filterwarnings("ignore::psif.PsifWarning")


@pytest.fixture(scope="module", params=KINDS, ids=str)
def found(request):
    model = PSIF(**SMALL, **request.param).fit(TEXTS)
    return model.groups(TEXTS, 3)


def test_groups_are_the_subjects_and_named_by_their_words(found):
    assert v_measure_score(CLASSES, found.nearest) == 1
    assert len(found) == 3
    for group in found.groups:
        (subject,) = {CLASSES[i] for i in np.flatnonzero(found.nearest == group.number)}
        assert set(group.words) <= set(SUBJECTS[subject])
        assert group.name == " ".join(group.words[:3])
        assert group.size == np.count_nonzero(found.labels == group.number)
        members = found.cosines[found.labels == group.number]
        assert group.cohesion == pytest.approx(members.mean(), abs=1e-5)
        assert found.cosines[group.typical[0]] == members.max()
        margins = found.margins[found.labels == group.number]
        assert found.margins[group.borderline[0]] == margins.min()
    sizes = np.bincount(found.nearest).tolist()  # outliers included
    assert sizes == sorted(sizes, reverse=True)


def test_reasons_add_up_to_the_score(found):
    for text in [*TEXTS[:6], "bank bank ship the unknownword", "cat"]:
        for number in (None, 1):
            reasons = found.explain(text, number)
            words = sum(share for _, share in reasons.words)
            topics = sum(share for _, share in reasons.topics)
            assert reasons.bias + words == pytest.approx(reasons.score, abs=1e-5)
            assert reasons.bias + topics + reasons.exact_words == pytest.approx(
                reasons.score, abs=1e-5
            )
            vectors = found.model.transform([text]).astype(np.float64)
            vectors /= np.linalg.norm(vectors)
            expected = vectors[0] @ found.rule.weights[reasons.group] + reasons.bias
            assert reasons.score == pytest.approx(expected, abs=1e-5)
            json.dumps(reasons.to_dict())
    assert found.explain(TEXTS[0]).group == found.nearest[0]
    assert "bias" in str(found.explain(TEXTS[0]))


def test_groups_are_the_same_after_a_round_trip(found, tmp_path):
    found.save(tmp_path / "groups")
    loaded = Groups.load(tmp_path / "groups")
    new = [doc["text"] for doc in make_docs(20, seed=5)] + [""]
    for one, two in zip(found.assign(new), loaded.assign(new), strict=True):
        assert np.array_equal(one, two)
    assert found.assign(new).labels[-1] == found.assign(new).nearest[-1] == -1
    assert loaded.groups == found.groups
    found.save(tmp_path / "groups")  # replaced
    config = tmp_path / "groups" / "config.json"
    config.write_text(config.read_text().replace(found.groups[0].name, "another name"))
    with pytest.raises(FormatError, match="checksum"):
        Groups.load(tmp_path / "groups")


def test_the_number_of_groups_is_found():
    docs = make_docs(240)
    texts = [doc["text"] for doc in docs]
    model = PSIF(**SMALL).fit(texts)
    found = model.groups(texts)
    classes = [doc["id"].split("-")[0] for doc in docs]
    assert homogeneity_score(classes, found.nearest) > 0.95
    assert np.array_equal(found.labels, model.groups(texts).labels)
    assert json.loads(json.dumps(found.to_dict()))["outliers"] == (found.labels < 0).sum()
    assert len(str(found).splitlines()) == len(found) + 2


def test_clouds_of_points_are_counted():
    rng = np.random.default_rng(0)
    for n_clouds in (2, 5):
        centres = rng.normal(size=(n_clouds, 60)) * 0.6
        classes = np.arange(600) % n_clouds
        vectors = (centres[classes] + rng.normal(size=(600, 60)) * 0.35).astype(np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        labels = cluster(vectors, None, random_state=0)
        assert v_measure_score(classes, labels) > 0.99


def test_an_unlike_document_is_left_out():
    model = PSIF(**SMALL).fit(TEXTS)
    found = model.groups(TEXTS, 3)
    mixed = " ".join(word for words in SUBJECTS.values() for word in words)
    assigned = found.assign([mixed])
    assert assigned.labels[0] == -1
    assert assigned.nearest[0] >= 0


def test_few_and_equal_documents():
    model = PSIF(**SMALL).fit(TEXTS)
    for texts in (["cat dog"], ["cat dog", "bank"], ["cat dog"] * 40, [*TEXTS[:5], ""]):
        found = model.groups(texts)
        assert len(found.labels) == len(texts)
        assert (found.nearest >= 0).sum() == sum(bool(text) for text in texts)
    assert len(model.groups(["cat dog"] * 40).groups) >= 1


def test_bad_arguments_are_told(tmp_path):
    model = PSIF(**SMALL).fit(TEXTS)
    with pytest.raises(InputError, match="at least 1; got 0"):
        model.groups(TEXTS, 0)
    with pytest.raises(InputError, match="only 2 documents"):
        model.groups(["cat", "dog"], 3)
    with pytest.raises(InputError, match="no documents"):
        model.groups([])
    with pytest.raises(InputError, match="nothing to group"):
        model.groups(["unknown", ""])
    with pytest.raises(InputError, match="no group 7"):
        model.groups(TEXTS, 3).explain("cat", 7)
    with pytest.raises(FormatError, match="no groups"):
        Groups.load(tmp_path)
    (tmp_path / "mine.txt").write_text("x")
    with pytest.raises(InputError, match="would be lost"):
        model.groups(TEXTS, 3).save(tmp_path)


def test_modularity_by_hand():
    # Two pairs, each connected by one edge of weight 2: e/m = 1, (d/m)^2 = 1/4 each.
    graph = neighbour_graph(np.array([[1], [0], [3], [2]]), 1)
    assert modularity(graph, np.array([0, 0, 1, 1])) == pytest.approx(0.5)
    assert modularity(graph, np.array([0, 0, 0, 0])) == pytest.approx(0)
    assert modularity(graph, np.array([0, 1, 0, 1])) == pytest.approx(-0.5)


def test_the_rule_is_the_least_squares_solution():
    rng = np.random.default_rng(0)
    for shape in ((60, 5), (12, 30)):
        vectors = rng.normal(size=shape).astype(np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        labels = np.arange(len(vectors)) % 2
        rule, _ = learn_rule(vectors, labels)
        from sklearn.linear_model import Ridge

        ridge = Ridge(alpha=1.0).fit(vectors, np.where(labels[:, None] == [0, 1], 1, -1))
        order = [int(np.argmin(np.abs(ridge.coef_ - w).sum(axis=1))) for w in rule.weights]
        assert np.allclose(ridge.coef_[order], rule.weights, atol=1e-4)
        assert np.allclose(ridge.intercept_[order], rule.biases, atol=1e-4)


def test_unequal_groups_are_found_where_centroids_mislead():
    rng = np.random.default_rng(0)
    large = np.array([1, 0, 0]) + rng.normal(0, 0.25, (400, 3))
    small = np.array([0.6, 0.8, 0]) + rng.normal(0, 0.02, (40, 3))
    vectors = np.concatenate([large, small]).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    labels = cluster(vectors, 2, random_state=0)
    assert len(set(labels[400:].tolist())) == 1
    again = cluster(vectors, 2, random_state=0, n_jobs=3)
    assert np.array_equal(labels, again)


def test_groups_of_groups():
    angles = np.array([0, 0.1, 0.2, 1.5, 1.6, 3.0, 3.1])
    centroids = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    assert wide_levels(centroids)[0].tolist() in ([0, 0, 0, 1, 1, 1, 1], [0, 0, 0, 0, 0, 1, 1])
    assert wide_levels(centroids[:3]) == []
    names = [f"w{i}x" for i in range(3)]
    assert [name for name, _ in names_of([[5, 0, 0], [0, 5, 0], [0, 0, 0]], names)] == [
        "w0x",
        "w1x",
        "group 2",
    ]
