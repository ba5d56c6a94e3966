import hashlib
import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from psif import PSIF, FormatError, InputError, Tokenizer
from psif.model.folder import _pack_words, _unpack_words
from tests import corpora
from tests.model.sealing import reseal


@pytest.fixture(scope="module")
def fitted():
    return PSIF(corpora.vectors(), n_topics=3, n_dims=5, random_state=0).fit(corpora.texts())


@pytest.fixture
def folder(fitted, tmp_path):
    fitted.save(tmp_path / "model")
    return tmp_path / "model"


def rewrite_config(folder, **changes):
    path = folder / "config.json"
    config = json.loads(path.read_text(encoding="utf-8"))
    config.update(changes)
    path.write_text(json.dumps(config), encoding="utf-8")
    reseal(folder)


def forge_checksum(folder, name):
    """What an attacker would do: change a file and its checksum."""
    data = (folder / name).read_bytes()
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    config["files"][name] = {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    reseal(folder)


@pytest.mark.parametrize("n_dims", [None, 5])
def test_round_trip_is_bit_exact(tmp_path, n_dims):
    model = PSIF(corpora.vectors(), n_topics=3, n_dims=n_dims, random_state=0)
    expected = model.fit_transform(corpora.texts())
    model.save(tmp_path / "m")
    loaded = PSIF.load(tmp_path / "m")
    np.testing.assert_array_equal(loaded.transform(corpora.texts()), expected)
    for name in ("weights", "codes", "vectors"):
        np.testing.assert_array_equal(getattr(loaded.words_, name), getattr(model.words_, name))
    assert loaded.vocabulary_.words == model.vocabulary_.words
    assert loaded.coverage_ == model.coverage_
    assert loaded.losses_ == model.losses_
    loaded.save(tmp_path / "again")
    for name in ("model.safetensors", "vocab.txt"):
        assert (tmp_path / "again" / name).read_bytes() == (tmp_path / "m" / name).read_bytes()


def test_the_folder_is_as_documented(folder):
    names = {path.name for path in folder.iterdir()}
    assert names == {"config.json", "model.safetensors", "vocab.txt", "README.md"}
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert "| topics | 3 (ksvd) |" in card
    assert "`n_dims` | `5`" in card


def test_trained_model_with_paper_tokenizer_comes_back(tmp_path):
    model = PSIF(n_topics=2, dim=4, tokenizer="paper", random_state=0).fit(corpora.texts())
    model.save(tmp_path / "m")
    loaded = PSIF.load(tmp_path / "m")
    assert loaded.get_params()["tokenizer"] == "paper"
    text = ["The SHIP, the wing & 42 spoons"]
    np.testing.assert_array_equal(loaded.transform(text), model.transform(text))
    # Refitting what was loaded works too.
    loaded.fit(corpora.texts())


def test_regular_expressions_are_saved_and_functions_refused(tmp_path):
    PSIF(corpora.vectors(), n_topics=2, tokenizer=Tokenizer(r"\S+")).fit(corpora.texts()).save(
        tmp_path / "regex"
    )
    assert PSIF.load(tmp_path / "regex").tokenizer_.pattern == r"\S+"
    model = PSIF(corpora.vectors(), n_topics=2, tokenizer=str.split).fit(corpora.texts())
    with pytest.raises(InputError, match="Python function cannot be saved"):
        model.save(tmp_path / "function")
    assert not (tmp_path / "function").exists()


def test_an_existing_model_is_replaced_other_folders_are_not(fitted, folder, tmp_path):
    fitted.save(folder)
    PSIF.load(folder)
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "thesis.txt").write_text("years of work", encoding="utf-8")
    with pytest.raises(InputError, match=r"other things than a psif model \(thesis.txt\)"):
        fitted.save(mine)
    assert (mine / "thesis.txt").read_text(encoding="utf-8") == "years of work"
    (folder / "notes.md").write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match=r"notes\.md"):
        fitted.save(folder)
    with pytest.raises(InputError, match="is a file"):
        fitted.save(mine / "thesis.txt")


def test_a_failed_save_leaves_the_old_model_and_no_litter(fitted, folder, monkeypatch):
    import safetensors.numpy

    def full_disk(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(safetensors.numpy, "save_file", full_disk)
    with pytest.raises(OSError, match="No space left"):
        fitted.save(folder)
    assert [path.name for path in folder.parent.iterdir()] == ["model"]
    PSIF.load(folder)


@pytest.mark.parametrize("name", ["config.json", "model.safetensors", "vocab.txt"])
def test_missing_files(folder, name):
    (folder / name).unlink()
    with pytest.raises(FormatError, match=name.replace(".", r"\.")):
        PSIF.load(folder)


@pytest.mark.parametrize("name", ["config.json", "model.safetensors", "vocab.txt"])
def test_truncated_files(folder, name):
    data = (folder / name).read_bytes()
    (folder / name).write_bytes(data[: len(data) // 2])
    with pytest.raises(FormatError, match=r"truncated or changed|not valid JSON"):
        PSIF.load(folder)


@pytest.mark.parametrize("name", ["model.safetensors", "vocab.txt"])
def test_a_flipped_bit_is_noticed(folder, name):
    data = bytearray((folder / name).read_bytes())
    data[-3] ^= 1
    (folder / name).write_bytes(data)
    with pytest.raises(FormatError, match="does not match its checksum"):
        PSIF.load(folder)


def test_newer_and_foreign_formats(folder, tmp_path):
    rewrite_config(folder, format_version=99)
    with pytest.raises(FormatError, match=r"written by a newer psif \(format 99"):
        PSIF.load(folder)
    rewrite_config(folder, format_version="1")
    with pytest.raises(FormatError, match="expected a whole number"):
        PSIF.load(folder)
    rewrite_config(folder, format="gensim")
    with pytest.raises(FormatError, match="does not describe a psif model"):
        PSIF.load(folder)
    with pytest.raises(FormatError, match="does not exist; expected a model folder"):
        PSIF.load(tmp_path / "nowhere")
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(FormatError, match="is a file"):
        PSIF.load(tmp_path / "file")


def test_hostile_configs(folder):
    (folder / "config.json").write_text("[" * 100_000, encoding="utf-8")
    with pytest.raises(FormatError, match="not valid JSON"):
        PSIF.load(folder)
    (folder / "config.json").write_bytes(b" " * (17 * 2**20))
    with pytest.raises(FormatError, match="larger than"):
        PSIF.load(folder)


@pytest.mark.parametrize(
    "changes",
    [
        {"params": {"n_topics": 3, "__class__": "os.system"}},
        {"params": None},
        {"tokenizer": {"pattern": "(", "lowercase": True}},
        {"tokenizer": {"evil": 1}},
        {"corpus": {}},
        {"n_topics": 4},
        {"dim": "8"},
        {"arrays": {}},
        {"losses": "x"},
        {"params": {"dtype": "float1024"}},
    ],
)
def test_tampered_configs_are_refused(folder, changes):
    rewrite_config(folder, **changes)
    with pytest.raises(FormatError):
        PSIF.load(folder)


def test_forged_arrays_are_refused_before_a_kernel_sees_them(folder):
    from safetensors.numpy import load_file, save_file

    path = folder / "model.safetensors"
    arrays = load_file(path)
    good = path.read_bytes()

    def forge(**changes):
        path.write_bytes(good)
        forged = {**arrays, **changes}
        save_file({k: v for k, v in forged.items() if v is not None}, path)
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        config["arrays"] = {
            k: {"dtype": str(v.dtype), "shape": list(v.shape)}
            for k, v in forged.items()
            if v is not None
        }
        (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
        forge_checksum(folder, "model.safetensors")

    forge(codes=arrays["codes"][:3].copy())
    with pytest.raises(FormatError, match="'codes' is float32"):
        PSIF.load(folder)
    forge(vectors=arrays["vectors"].astype(np.float64))
    with pytest.raises(FormatError, match="'vectors' is float64"):
        PSIF.load(folder)
    forge(components=arrays["components"][:, :4].copy())
    with pytest.raises(FormatError, match="'components' does not have 24 columns"):
        PSIF.load(folder)
    forge(table=arrays["table"][:2].copy())
    with pytest.raises(FormatError, match="'table' does not have 27 rows"):
        PSIF.load(folder)
    forge(weights=np.full_like(arrays["weights"], np.nan))
    with pytest.raises(FormatError, match="'weights' holds NaN"):
        PSIF.load(folder)
    forge(atoms=None)
    with pytest.raises(FormatError, match="expected the arrays"):
        PSIF.load(folder)
    path.write_bytes(b"\xff" * 100)
    forge_checksum(folder, "model.safetensors")
    with pytest.raises(FormatError, match="not a valid safetensors file"):
        PSIF.load(folder)


def test_a_pickle_is_never_run(folder):
    import pickle

    class Bomb:
        def __reduce__(self):
            return (print, ("BOOM",))

    for name in ("model.safetensors", "config.json", "vocab.txt"):
        copy = folder.parent / f"copy-{name}"
        shutil.copytree(folder, copy)
        (copy / name).write_bytes(pickle.dumps(Bomb()))
        if name != "config.json":
            forge_checksum(copy, name)
        with pytest.raises(FormatError):
            PSIF.load(copy)


@given(st.lists(st.text(st.characters(exclude_categories=()), min_size=1), unique=True))
def test_words_of_any_kind_survive(words):
    assert _unpack_words(_pack_words(words), Path("vocab.txt")) == words


def test_stray_escapes_in_the_vocabulary_are_refused():
    for data in (b"a\\x\n", b"a\\\n"):
        with pytest.raises(FormatError, match=r"m/vocab\.txt: stray backslash"):
            _unpack_words(data, Path("m/vocab.txt"))
    with pytest.raises(FormatError, match=r"m/vocab\.txt is not UTF-8"):
        _unpack_words(b"\xff\n", Path("m/vocab.txt"))


def test_every_flipped_bit_of_the_config_is_noticed(folder):
    path = folder / "config.json"
    good = path.read_bytes()
    expected = json.loads(good)
    rng = np.random.default_rng(0)
    for place in rng.integers(0, 8 * len(good), 400).tolist():
        data = bytearray(good)
        data[place // 8] ^= 1 << place % 8
        path.write_bytes(data)
        try:
            model = PSIF.load(folder)
        except FormatError:
            continue
        # Only the spacing may change unnoticed.
        assert json.loads(data.decode()) == expected
        assert model.checksum_ == expected["checksum"]


def test_a_foreign_folder_with_our_file_names_is_not_replaced(fitted, tmp_path):
    folder = tmp_path / "bert"
    folder.mkdir()
    (folder / "config.json").write_text('{"model_type": "bert"}')
    (folder / "model.safetensors").write_text("weights")
    (folder / "vocab.txt").write_text("words")
    with pytest.raises(InputError, match="holds other things than a psif model"):
        fitted.save(folder)
    assert (folder / "model.safetensors").read_text() == "weights"


def test_a_link_is_not_replaced(fitted, folder, tmp_path):
    link = tmp_path / "link"
    link.symlink_to(folder)
    with pytest.raises(InputError, match="symbolic link"):
        fitted.save(link)
    assert link.is_symlink()


def test_files_of_a_model_have_the_modes_of_other_files(fitted, tmp_path):
    import os

    old = os.umask(0o027)
    try:
        fitted.save(tmp_path / "m")
        (tmp_path / "plain").touch()
    finally:
        os.umask(old)
    mode = (tmp_path / "plain").stat().st_mode
    assert {path.stat().st_mode for path in (tmp_path / "m").iterdir()} == {mode}
    assert (tmp_path / "m").stat().st_mode & 0o777 == 0o750


def test_a_model_can_be_loaded_while_others_replace_it(tmp_path):
    import threading

    texts = corpora.texts(20)
    models = [PSIF(corpora.vectors(), n_topics=k, random_state=0).fit(texts) for k in (2, 3)]
    target = tmp_path / "m"
    models[0].save(target)
    stop = threading.Event()

    def save(model):
        while not stop.is_set():
            model.save(target)

    savers = [threading.Thread(target=save, args=(model,)) for model in models]
    for saver in savers:
        saver.start()
    try:
        found = {PSIF.load(target).n_topics_ for _ in range(60)}
    finally:
        stop.set()
        for saver in savers:
            saver.join()
    assert found <= {2, 3}
    assert [path.name for path in tmp_path.iterdir()] == ["m"]
