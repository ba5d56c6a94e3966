import json
import subprocess
import sys
import textwrap
import zlib

import numpy as np
import pytest

from psif import FormatError, Index, InputError
from psif.search import manifest as manifest_module
from psif.search.array_files import read_arrays, write_arrays
from tests.search import collections

QUERIES = ["ship in a storm", "n1 soup", "pilot"]


@pytest.fixture(scope="module")
def model():
    return collections.model()


@pytest.fixture
def saved(model, tmp_path):
    texts = collections.texts(30)
    index = Index.build(
        texts, metadata=[{"n": i, "kind": "abc"[i % 3]} for i in range(30)], model=model
    )
    index.save(tmp_path / "index")
    return index, tmp_path / "index"


def answers(index):
    return [
        [(hit.id, hit.score, hit.text, hit.metadata) for hit in hits]
        for hits in index.search_many(QUERIES, k=8)
    ]


@pytest.mark.parametrize("mapped", [True, False])
def test_a_loaded_index_answers_alike(saved, mapped):
    index, folder = saved
    loaded = Index.load(folder, mapped=mapped)
    assert answers(loaded) == answers(index)
    assert loaded.search("ship", where="kind == 'a'")[0].metadata["kind"] == "a"
    assert loaded.explain("ship", "0").to_dict() == index.explain("ship", "0").to_dict()
    assert loaded.info().n_bytes == index.info().n_bytes > 0


def test_without_a_model(tmp_path):
    index = Index.build(["word"])
    assert index.model is None
    index.save(tmp_path / "i")
    assert [hit.id for hit in Index.load(tmp_path / "i").search("word")] == ["0"]
    Index.build([]).save(tmp_path / "empty")
    assert len(Index.load(tmp_path / "empty")) == 0


def test_only_what_is_new_is_written(saved):
    _, folder = saved
    before = {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}
    loaded = Index.load(folder)
    loaded.add(["a new ship"])
    loaded.save(folder)
    after = {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}
    kept = {name for name in before if after.get(name) == before[name]}
    assert {name for name in before if name.startswith(("segment", "space", "model"))} <= kept
    assert len([name for name in after if name.startswith("segment")]) == 2
    assert len(Index.load(folder)) == 31


def test_deleted_documents_stay_deleted(saved):
    _, folder = saved
    loaded = Index.load(folder)
    loaded.delete(["3", "4"])
    loaded.save(folder)
    loaded.delete(["5"])
    loaded.save(folder)
    again = Index.load(folder)
    assert answers(again) == answers(loaded)
    assert "3" not in again
    assert len(again) == 27
    assert len([p for p in folder.iterdir() if p.name.startswith("deleted")]) == 1


def test_nothing_is_left_of_earlier_states(saved):
    _, folder = saved
    loaded = Index.load(folder)
    for i in range(4):
        loaded.add([f"ship n{i}"] * 20)
        loaded.save(folder)
    loaded.refit()
    loaded.save(folder)
    kinds = sorted(path.name.partition("-")[0] for path in folder.iterdir())
    assert kinds == ["manifest.json", "model", "segment", "space", "write.lock"]


def test_an_index_is_saved_elsewhere_whole(saved, tmp_path):
    index, folder = saved
    index.add(["one more ship"])
    index.save(tmp_path / "copy")
    assert len(Index.load(folder)) == 30
    assert answers(Index.load(tmp_path / "copy")) == answers(index)


def test_another_index_may_be_replaced(saved, model):
    _, folder = saved
    Index.build(["a ship", "a plane"], model=model).save(folder)
    assert len(Index.load(folder)) == 2


# Writers and readers


def test_a_second_writer_is_told(saved):
    _, folder = saved
    first, second = Index.load(folder), Index.load(folder)
    first.add(["from the first"])
    first.save(folder)
    second.add(["from the second"])
    with pytest.raises(InputError, match="changed by another process since it was loaded"):
        second.save(folder)
    assert len(Index.load(folder)) == 31


def test_a_writer_waits_for_another_and_then_says_so(saved, monkeypatch):
    index, folder = saved
    script = textwrap.dedent(f"""
        import sys, time
        from pathlib import Path
        from psif.search.manifest import write_lock
        with write_lock(Path({str(folder)!r})):
            print("locked", flush=True)
            time.sleep(60)
    """)
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout.readline() == "locked\n"
        monkeypatch.setattr(manifest_module.write_lock.__wrapped__, "__defaults__", (0.2,))
        index.add(["late"])
        with pytest.raises(InputError, match="another process is writing to"):
            index.save(folder)
        other.kill()
    index.save(folder)  # the system released the lock
    assert len(Index.load(folder)) == 31


def test_a_reader_keeps_its_state_while_others_write(saved):
    index, folder = saved
    reader = Index.load(folder)
    before = answers(index)
    writer = Index.load(folder)
    writer.delete([str(i) for i in range(25)])
    writer.save(folder)
    assert answers(reader) == before


def test_a_reader_that_is_overtaken_reads_again(saved, monkeypatch):
    """Files of the manifest it read are gone when it comes to them."""
    from psif.search import storage

    _, folder = saved
    real, calls = storage._read, []

    def overtaken(where, manifest, *, mapped):
        calls.append(manifest["generation"])
        if len(calls) == 1:
            other = Index.load(folder)
            other.refit()
            other.save(folder)
        return real(where, manifest, mapped=mapped)

    monkeypatch.setattr(storage, "_read", overtaken)
    assert len(Index.load(folder)) == 30
    assert calls[0] < calls[-1]


# What is refused


def test_folders_that_are_no_index(tmp_path, saved):
    index, folder = saved
    with pytest.raises(InputError, match="does not exist; expected an index"):
        Index.load(tmp_path / "nothing")
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match="is a file; expected an index"):
        Index.load(tmp_path / "file")
    with pytest.raises(InputError, match="is a file; an index is a folder"):
        index.save(tmp_path / "file")
    (tmp_path / "other").mkdir()
    with pytest.raises(FormatError, match=r"has no manifest.json: it is not a psif index"):
        Index.load(tmp_path / "other")
    (tmp_path / "other" / "thesis.tex").write_text("years of work")
    with pytest.raises(InputError, match=r"holds other things than a psif index \(thesis.tex\)"):
        index.save(tmp_path / "other")
    assert (tmp_path / "other" / "thesis.tex").read_text() == "years of work"
    (folder / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match="holds other things"):
        index.save(folder)


def change_manifest(folder, **changes):
    path = folder / "manifest.json"
    content = json.loads(path.read_text()) | changes
    content.pop("check")
    content["check"] = zlib.crc32(json.dumps(content, sort_keys=True).encode())
    path.write_text(json.dumps(content))


def test_newer_versions(saved):
    _, folder = saved
    change_manifest(folder, format_version=2)
    with pytest.raises(FormatError, match=r"written by a newer psif \(index format 2"):
        Index.load(folder)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format": "other"}, "does not describe a psif index"),
        ({"format_version": "one"}, "expected a whole number"),
        ({"language": "klingon"}, "no language is called"),
        ({"segments": 5}, "cannot be used"),
        ({"space": None}, "do not fit the model"),
        ({"segments": [{}]}, "cannot be used"),
    ],
)
def test_manifests_that_make_no_sense(saved, changes, message):
    _, folder = saved
    change_manifest(folder, **changes)
    with pytest.raises((FormatError, InputError), match=message):
        Index.load(folder)


def test_files_outside_are_not_read(saved):
    _, folder = saved
    content = json.loads((folder / "manifest.json").read_text())
    content["segments"][0]["file"]["name"] = "../other.safetensors"
    change_manifest(folder, segments=content["segments"])
    with pytest.raises(FormatError, match="names a file outside the index"):
        Index.load(folder)


def test_changed_manifest(saved):
    _, folder = saved
    path = folder / "manifest.json"
    path.write_text(path.read_text().replace('"next_number": 30', '"next_number": 31'))
    with pytest.raises(FormatError, match="does not match its checksum"):
        Index.load(folder)
    path.write_text("{")
    with pytest.raises(FormatError, match="is not valid JSON"):
        Index.load(folder)


def test_missing_and_cut_files(saved):
    _, folder = saved
    (segment,) = folder.glob("segment-*")
    data = segment.read_bytes()
    segment.write_bytes(data[:-1])
    with pytest.raises(FormatError, match=rf"{segment.name} has {len(data) - 1} bytes, expected"):
        Index.load(folder)
    segment.unlink()
    with pytest.raises(FormatError, match=f"{segment.name} is missing; the index is incomplete"):
        Index.load(folder)


def test_arrays_that_do_not_fit_are_refused(saved):
    """Checksums are right, the content is not: as from a faulty writer."""
    _, folder = saved
    content = json.loads((folder / "manifest.json").read_text())
    entry = content["segments"][0]
    arrays = read_arrays(folder, entry["file"], mapped=False)
    for name, wrong, message in [
        ("lengths", arrays["lengths"][:-1], "the parts have"),
        ("lengths", arrays["lengths"].astype(np.int64), "'lengths' is missing or not int32"),
        ("posting_ends", arrays["posting_ends"][::-1].copy(), "postings are damaged"),
        ("ids.ends", arrays["ids.ends"] + 1, "ids are damaged"),
        ("id_order", np.zeros_like(arrays["id_order"]), "order of the ids is damaged"),
        ("first_docs", arrays["first_docs"] + 1, "texts are damaged"),
        ("vectors", arrays["vectors"][:, :-1].copy(), "do not fit the model"),
        ("scales", arrays["scales"] * np.nan, "NaN or infinity"),
        ("field1.codes", arrays["field1.codes"] + 7, "'kind' is damaged"),
        ("doc_freqs", arrays["doc_freqs"] + 99, "counts do not fit"),
    ]:
        path = folder / f"segment-{name}-{len(wrong)}.safetensors"
        path.unlink(missing_ok=True)
        file = write_arrays(path, arrays | {name: wrong})
        change_manifest(folder, segments=[{**entry, "file": file}])
        with pytest.raises(FormatError, match=message):
            Index.load(folder)


def test_a_folder_with_names_like_ours_is_not_an_index(saved, tmp_path):
    """Web applications have a manifest.json too, and a model-final is somebody's."""
    index, folder = saved
    foreign = tmp_path / "app"
    (foreign / "model-final").mkdir(parents=True)
    (foreign / "model-final" / "weights.bin").write_text("years of work")
    with pytest.raises(InputError, match=r"holds other things than a psif index \(model-final\)"):
        index.save(foreign)
    (foreign / "model-final").rename(foreign / "model-0123456789ab")
    (foreign / "manifest.json").write_text('{"name": "app"}')
    with pytest.raises(InputError, match="holds other things than a psif index"):
        index.save(foreign)
    assert (foreign / "model-0123456789ab" / "weights.bin").read_text() == "years of work"
    # Somebody's folder in an index: named like ours, but not a name that psif gives.
    (folder / "model-mine").mkdir()
    with pytest.raises(InputError, match="holds other things than a psif index"):
        index.save(folder)
    assert (folder / "model-mine").is_dir()


def test_damage_that_is_found_late_names_the_folder(tmp_path, monkeypatch):
    Index.build(["the cat sat", "dogs bark"]).save(tmp_path / "index")
    index = Index.load(tmp_path / "index")

    def damaged(*arguments, **options):
        raise FormatError("a text of the index is damaged.")

    monkeypatch.setattr("psif.search.searcher.Searcher.search", damaged)
    with pytest.raises(FormatError, match=f"{tmp_path / 'index'}: a text of the index is damaged"):
        index.search("cat")
