import json
import shutil

import numpy as np
import pytest

from psif import PSIFClassifier
from psif.classify.storage import is_classifier
from psif.errors import FormatError, InputError
from psif.model.folder import config_checksum
from tests.classify.conftest import make_texts, small_model


@pytest.fixture
def folder(fitted, tmp_path):
    fitted.save(tmp_path / "clf")
    return tmp_path / "clf"


def rewrite(folder, **changes):
    path = folder / "config.json"
    config = {**json.loads(path.read_text("utf-8")), **changes}
    config["checksum"] = config_checksum(config)
    path.write_text(json.dumps(config), "utf-8")


@pytest.mark.parametrize("name", ["fitted", "fitted_pair", "fitted_several"])
def test_a_saved_classifier_decides_and_explains_alike(name, request, tmp_path):
    clf = request.getfixturevalue(name)
    clf.save(tmp_path / "clf")
    again = PSIFClassifier.load(tmp_path / "clf")
    texts = make_texts(12, seed=5)[0]
    np.testing.assert_array_equal(again.decision_function(texts), clf.decision_function(texts))
    np.testing.assert_array_equal(again.predict_proba(texts), clf.predict_proba(texts))
    assert list(again.predict(texts)) == list(clf.predict(texts))
    assert again.explain(texts[0]).to_dict() == clf.explain(texts[0]).to_dict()
    assert again.describe() == clf.describe()
    assert (again.loss_, again.C_, again.held_out_score_) == (
        clf.loss_, clf.C_, clf.held_out_score_,
    )  # fmt: skip
    assert again.classes_.dtype == clf.classes_.dtype
    assert is_classifier(tmp_path / "clf")


def test_a_classifier_is_replaced_and_other_folders_are_not(fitted, fitted_pair, folder, tmp_path):
    fitted_pair.save(folder)
    assert PSIFClassifier.load(folder).classes_.tolist() == ["animals", "money"]
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "one.txt").write_text("dear")
    with pytest.raises(InputError, match=r"holds other things than a psif classifier \(one.txt\)"):
        fitted.save(tmp_path / "letters")
    with pytest.raises(InputError, match="is a file; give a folder"):
        fitted.save(tmp_path / "letters" / "one.txt")
    assert (tmp_path / "letters" / "one.txt").read_text() == "dear"


def test_other_folders_are_not_classifiers(tmp_path):
    with pytest.raises(FormatError, match=r"it has no config.json"):
        PSIFClassifier.load(tmp_path)
    small_model().fit(make_texts(20)[0]).save(tmp_path / "model")
    with pytest.raises(FormatError, match=r"is no classifier \(its format is 'psif-model'\)"):
        PSIFClassifier.load(tmp_path / "model")
    assert not is_classifier(tmp_path / "model")
    assert not is_classifier(tmp_path / "nothing")


@pytest.mark.parametrize("name", ["classifier.safetensors", "model/model.safetensors"])
def test_changed_arrays_are_noticed(folder, name):
    data = bytearray((folder / name).read_bytes())
    data[-1] ^= 1
    (folder / name).write_bytes(data)
    with pytest.raises(FormatError, match="does not match its checksum"):
        PSIFClassifier.load(folder)
    (folder / name).unlink()
    with pytest.raises(FormatError, match="is missing"):
        PSIFClassifier.load(folder)


def test_a_changed_config_is_noticed(folder):
    path = folder / "config.json"
    path.write_text(path.read_text("utf-8").replace("animals", "minerals"), "utf-8")
    with pytest.raises(FormatError, match="does not match its own checksum"):
        PSIFClassifier.load(folder)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format_version": 9}, "format_version is 9"),
        ({"classes": ["animals", "money"]}, "arrays do not fit the model and the classes"),
        ({"classes": ["animals", "money", 3]}, "labels of one type"),
        ({"classes": ["ships", "money", "animals"]}, "not sorted"),
        ({"classes": [["a"], ["b"], ["c"]]}, "labels of one type"),
        ({"classes": None}, "cannot be used"),
        ({"temperature": -1}, "not one that a fit makes"),
        ({"temperature": "x"}, "cannot be used"),
        ({"loss": "os.system"}, "not one that a fit makes"),
        ({"files": 3}, "'files' is missing"),
        ({"arrays": {}}, "does not hold the arrays"),
    ],
)
def test_hostile_configs(folder, changes, message):
    rewrite(folder, **changes)
    with pytest.raises(FormatError, match=message):
        PSIFClassifier.load(folder)


def test_the_model_of_another_classifier_is_refused(folder, fitted_pair, tmp_path):
    fitted_pair.save(tmp_path / "other")
    shutil.rmtree(folder / "model")
    shutil.copytree(tmp_path / "other" / "model", folder / "model")
    with pytest.raises(FormatError, match="not the model that this classifier was saved with"):
        PSIFClassifier.load(folder)
