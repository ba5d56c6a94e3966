"""Every adapter against the real package: its vectors are those of the model."""

import asyncio
import warnings

import numpy as np
import pytest

from psif.errors import InputError

# Warnings of other people's packages are not ours to fix.
pytestmark = pytest.mark.filterwarnings("ignore")
WHY = "make test-integrations installs it"


@pytest.fixture
def expected(saved):
    model, _, asked = saved
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.transform(asked)


def test_langchain(saved, expected):
    pytest.importorskip("langchain_core", reason=WHY)
    from langchain_core.vectorstores import InMemoryVectorStore

    from psif.integrations.langchain import PsifEmbeddings

    model, folder, asked = saved
    for given in (model, folder, str(folder)):
        embeddings = PsifEmbeddings(given)
        assert np.allclose(embeddings.embed_documents(asked), expected, atol=1e-7)
    assert np.allclose(embeddings.embed_query(asked[0]), expected[0], atol=1e-7)
    assert np.allclose(asyncio.run(embeddings.aembed_query(asked[0])), expected[0], atol=1e-7)
    store = InMemoryVectorStore(embeddings)
    store.add_texts(asked[:6])
    assert store.similarity_search(asked[2], k=1)[0].page_content == asked[2]
    with pytest.raises(InputError, match="fitted PSIF"):
        PsifEmbeddings(type(model)())


def test_lancedb(saved, expected, tmp_path):
    lancedb = pytest.importorskip("lancedb", reason=WHY)
    from lancedb.embeddings import get_registry
    from lancedb.pydantic import LanceModel, Vector

    import psif.integrations.lancedb  # noqa: F401

    _, folder, asked = saved
    function = get_registry().get("psif").create(model=str(folder))

    class Row(LanceModel):
        text: str = function.SourceField()
        vector: Vector(function.ndims()) = function.VectorField()

    table = lancedb.connect(tmp_path).create_table("t", schema=Row)
    table.add([{"text": text} for text in asked[:6]])
    assert np.allclose(table.to_arrow()["vector"].to_pylist(), expected[:6], atol=1e-7)
    assert table.search(asked[4]).limit(1).to_list()[0]["text"] == asked[4]


def test_spacy(saved, expected):
    spacy = pytest.importorskip("spacy", reason=WHY)
    import psif.integrations.spacy  # noqa: F401

    model, folder, asked = saved
    nlp = spacy.blank("en")
    nlp.add_pipe("psif", config={"model": str(folder)})
    docs = list(nlp.pipe(asked))
    assert np.allclose([doc.vector for doc in docs], expected, atol=1e-7)
    score = docs[0].similarity(nlp(asked[1]))
    assert score == pytest.approx(model.similarity(asked[0], asked[1]), abs=1e-5)
