import json
import shutil

import numpy as np
import pytest

from psif import PSIFClassifier
from psif.classify.marker import is_classifier
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


KINDS = ["fitted", "fitted_pair", "fitted_several", "fitted_with_pairs", "fitted_english"]


@pytest.mark.parametrize("name", KINDS)
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


@pytest.mark.parametrize(
    ("language", "message"),
    [
        ({"english": "0" * 64}, "trained with a table 'english' that this psif does not have"),
        ({"klingon": "0" * 64}, "trained with a table 'klingon' that this psif does not have"),
        ("english", "'language' is not the name of a table"),
        (None, "'shares' are not those of parts of a document"),
    ],
)
def test_a_classifier_of_another_table_is_refused(fitted_english, tmp_path, language, message):
    fitted_english.save(tmp_path / "clf")
    rewrite(tmp_path / "clf", language=language)
    with pytest.raises(FormatError, match=message):
        PSIFClassifier.load(tmp_path / "clf")


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
        ({"shares": [0.0, 1.0, 0.0]}, "not those of parts of a document"),
        ({"shares": [0.5]}, "cannot be used"),
        ({"format_version": 1}, "format_version is 1"),
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


def test_weights_of_many_classes_are_whole_numbers(tmp_path):
    from safetensors.numpy import load_file

    texts, _ = make_texts(60)
    y = [i % 5 for i in range(60)]
    clf = PSIFClassifier(small_model(), random_state=0).fit(texts, y)
    clf.save(tmp_path / "clf", dtype="int8")
    arrays = load_file(tmp_path / "clf" / "classifier.safetensors")
    assert arrays["weights"].dtype == np.int8
    again = PSIFClassifier.load(tmp_path / "clf")
    np.testing.assert_allclose(
        again.decision_function(texts), clf.decision_function(texts), atol=0.02
    )


@pytest.mark.parametrize(("dtype", "error"), [("float16", 1e-3), ("int8", 1e-2)])
def test_smaller_numbers_change_scores_slightly(fitted_with_pairs, tmp_path, dtype, error):
    texts = make_texts(12, seed=5)[0]
    fitted_with_pairs.save(tmp_path / "whole")
    fitted_with_pairs.save(tmp_path / "small", dtype=dtype)
    found = PSIFClassifier.load(tmp_path / "small").decision_function(texts)
    np.testing.assert_allclose(found, fitted_with_pairs.decision_function(texts), atol=error)
    sizes = [sum(file.stat().st_size for file in (tmp_path / name).rglob("*.safetensors"))
             for name in ("small", "whole")]  # fmt: skip
    assert sizes[0] < sizes[1]
    with pytest.raises(InputError, match="dtype must be one of"):
        fitted_with_pairs.save(tmp_path / "other", dtype="int4")


@pytest.mark.parametrize("change", ["order", "words"])
def test_pairs_of_words_that_are_not_there(fitted_with_pairs, tmp_path, change):
    from safetensors.numpy import load_file, save_file

    from psif.model.folder import fingerprint

    folder = tmp_path / "clf"
    fitted_with_pairs.save(folder)
    arrays = load_file(folder / "classifier.safetensors")
    if change == "order":
        arrays["pair_keys"] = np.ascontiguousarray(arrays["pair_keys"][::-1])
    else:
        arrays["pair_keys"][-1] += 1 << 20
    save_file(arrays, folder / "classifier.safetensors")
    rewrite(
        folder, files={"classifier.safetensors": fingerprint(folder / "classifier.safetensors")}
    )
    with pytest.raises(FormatError, match="pair_keys"):
        PSIFClassifier.load(folder)


def test_foreign_files_in_the_model_of_a_classifier_are_not_lost(fitted, folder, tmp_path):
    (folder / "model" / "thesis.tex").write_text("years of work")
    with pytest.raises(InputError, match=r"holds other things than a psif model \(thesis.tex\)"):
        fitted.save(folder)
    assert (folder / "model" / "thesis.tex").read_text() == "years of work"
    (tmp_path / "link").symlink_to(folder)
    with pytest.raises(InputError, match="is a symbolic link"):
        fitted.save(tmp_path / "link")
