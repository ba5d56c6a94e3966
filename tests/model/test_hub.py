"""A saved model is a repository that a model hub can hold; nothing here needs a network."""

import numpy as np
import pytest
from huggingface_hub import ModelCard, snapshot_download
from huggingface_hub.repocard import metadata_load

from psif import Embedder, PSIFClassifier
from tests.corpora import saved_model, texts


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    return saved_model(tmp_path_factory.mktemp("hub") / "model")


@pytest.fixture
def repository(saved, tmp_path):
    """The folder as the hub's client keeps it: links into a store of contents."""
    _, folder = saved
    root = tmp_path / "models--me--docs"
    blobs, snapshot = root / "blobs", root / "snapshots" / ("0" * 40)
    blobs.mkdir(parents=True)
    snapshot.mkdir(parents=True)
    (root / "refs").mkdir()
    (root / "refs" / "main").write_text("0" * 40)
    for number, path in enumerate(sorted(folder.iterdir())):
        (blobs / str(number)).write_bytes(path.read_bytes())
        (snapshot / path.name).symlink_to(f"../../blobs/{number}")
    (snapshot / ".gitattributes").write_text("*.safetensors filter=lfs\n")
    return tmp_path


def test_the_card_has_the_metadata_of_the_hub(saved):
    _, folder = saved
    card = ModelCard.load(folder / "README.md")
    assert card.data.library_name == "psif"
    assert card.data.pipeline_tag == "feature-extraction"
    assert {"psif", "sentence-similarity"} <= set(card.data.tags)
    assert card.text.lstrip().startswith("# A psif model")
    assert metadata_load(folder / "README.md") == card.data.to_dict()


@pytest.mark.filterwarnings("ignore::psif.PsifWarning")
def test_a_classifier_has_them_too(tmp_path):
    clf = PSIFClassifier(random_state=0).fit(texts(n_docs=30), ["sea", "sky", "food"] * 10)
    clf.save(tmp_path / "clf")
    card = ModelCard.load(tmp_path / "clf" / "README.md")
    assert (card.data.library_name, card.data.pipeline_tag) == ("psif", "text-classification")
    assert card.text.lstrip().startswith("# A psif classifier")


def test_files_are_flat_and_none_is_code(saved):
    _, folder = saved
    names = sorted(path.name for path in folder.iterdir())
    assert names == ["README.md", "config.json", "model.safetensors", "vocab.txt"]
    assert all(path.is_file() for path in folder.iterdir())


def test_a_downloaded_model_loads(saved, repository):
    model, _ = saved
    found = snapshot_download("me/docs", cache_dir=repository, local_files_only=True)
    asked = texts(n_docs=3, seed=9)
    assert np.array_equal(Embedder.load(found).transform(asked), model.transform(asked))


def test_a_card_that_was_edited_on_the_hub_harms_nobody(saved, tmp_path):
    model, _ = saved
    model.save(tmp_path / "copy")
    path = tmp_path / "copy" / "README.md"
    card = ModelCard.load(path)
    card.data.license = "mit"
    card.text += "\nMore about it.\n"
    card.save(path)
    assert ModelCard.load(path).data.license == "mit"
    asked = texts(n_docs=3, seed=9)
    loaded = Embedder.load(tmp_path / "copy")
    assert np.array_equal(loaded.transform(asked), model.transform(asked))
