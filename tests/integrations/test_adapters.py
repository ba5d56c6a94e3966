"""Every adapter against the real package: its vectors are those of the model."""

import warnings

import numpy as np
import pytest

import psif
from psif.errors import InputError
from tests import coroutines
from tests.corpora import texts

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
    assert np.allclose(coroutines.run(embeddings.aembed_query(asked[0])), expected[0], atol=1e-7)
    store = InMemoryVectorStore(embeddings)
    store.add_texts(asked[:6])
    assert store.similarity_search(asked[2], k=1)[0].page_content == asked[2]
    with pytest.raises(InputError, match="fitted PSIF"):
        PsifEmbeddings(type(model)())


def test_langchain_retriever(saved, tmp_path):
    pytest.importorskip("langchain_core", reason=WHY)
    from psif.integrations.langchain import PsifRetriever

    _, _, asked = saved
    index = psif.Index.build(
        asked[:6], ids=list("abcdef"), metadata=[{"n": i} for i in range(6)], language="none"
    )
    index.save(tmp_path / "index")
    expected = index.search(asked[1], 3)
    for given in (index, tmp_path / "index", str(tmp_path / "index")):
        retriever = PsifRetriever(index=given, k=3)
        found = retriever.invoke(asked[1])
        assert [doc.id for doc in found] == [hit.id for hit in expected]
        assert [doc.page_content for doc in found] == [hit.text for hit in expected]
        assert found[0].metadata == {"n": 1, "score": expected[0].score, "rank": 1}
    assert coroutines.run(retriever.ainvoke(asked[1])) == found
    assert {doc.id for doc in PsifRetriever(index=index, where="n < 2").invoke(asked[1])} <= {
        "a",
        "b",
    }
    assert retriever.invoke("zzz") == []
    with pytest.raises(ValueError, match=r"expected a psif.Index.*got int"):
        PsifRetriever(index=1)


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


def test_sentence_transformers(saved, expected, tmp_path):
    package = pytest.importorskip("sentence_transformers", reason=WHY)
    from psif.integrations.sentence_transformers import PsifModule

    model, folder, asked = saved
    for given in (model, folder):
        encoder = package.SentenceTransformer(modules=[PsifModule(given)], device="cpu")
        assert np.allclose(encoder.encode(asked, batch_size=2), expected, atol=1e-7)
    assert encoder.get_embedding_dimension() == expected.shape[1]
    with_prompt = encoder.encode(asked, prompt="ship sail wave: ")
    assert np.allclose(with_prompt, expected, atol=1e-7)
    assert encoder.encode(asked[0]).shape == expected[0].shape
    scores = encoder.similarity(encoder.encode(asked[:2]), encoder.encode(asked[2:4]))
    assert np.allclose(scores, model.similarity(asked[:2], asked[2:4]), atol=1e-5)
    encoder.save(str(tmp_path / "saved"))
    loaded = package.SentenceTransformer(
        str(tmp_path / "saved"), trust_remote_code=True, device="cpu"
    )
    assert np.array_equal(loaded.encode(asked), encoder.encode(asked))
    # Saved again over what is there, as its users do.
    loaded.save(str(tmp_path / "saved"))


def test_llama_index(saved, expected):
    pytest.importorskip("llama_index.core", reason=WHY)
    from llama_index.core.schema import TextNode

    from psif.integrations.llama_index import PsifEmbedding

    model, folder, asked = saved
    embedding = PsifEmbedding(folder, embed_batch_size=3)
    assert PsifEmbedding(model).model_name == "psif"
    assert np.allclose(embedding.get_text_embedding_batch(asked), expected, atol=1e-7)
    assert np.allclose(embedding.get_text_embedding(asked[1]), expected[1], atol=1e-7)
    assert np.allclose(embedding.get_query_embedding(asked[0]), expected[0], atol=1e-7)

    async def all_ways():
        return (
            await embedding.aget_text_embedding_batch(asked),
            [await embedding.aget_text_embedding(text) for text in asked],
            [await embedding.aget_query_embedding(text) for text in asked],
        )

    for found in coroutines.run(all_ways()):
        assert np.allclose(found, expected, atol=1e-7)
    nodes = embedding([TextNode(text=text) for text in asked])
    assert np.allclose([node.embedding for node in nodes], expected, atol=1e-7)


def test_haystack(saved, expected):
    haystack = pytest.importorskip("haystack", reason=WHY)
    from haystack.components.retrievers import InMemoryEmbeddingRetriever
    from haystack.document_stores.in_memory import InMemoryDocumentStore

    from psif.integrations.haystack import PsifDocumentEmbedder, PsifTextEmbedder

    model, folder, asked = saved
    documents = [haystack.Document(content=text, meta={"t": "deck"}) for text in asked]
    embedded = PsifDocumentEmbedder(folder).run(documents)["documents"]
    assert np.allclose([document.embedding for document in embedded], expected, atol=1e-7)
    assert documents[0].embedding is None
    (titled,) = PsifDocumentEmbedder(model, ["t", "absent"]).run(documents[:1])["documents"]
    assert np.allclose(titled.embedding, model.transform([f"deck {asked[0]}"])[0], atol=1e-6)

    store = InMemoryDocumentStore(embedding_similarity_function="cosine")
    store.write_documents(embedded[:6])
    pipeline = haystack.Pipeline()
    pipeline.add_component("text", PsifTextEmbedder(str(folder)))
    pipeline.add_component("find", InMemoryEmbeddingRetriever(store, top_k=1))
    pipeline.connect("text.embedding", "find.query_embedding")
    found = pipeline.run({"text": {"text": asked[2]}})["find"]["documents"]
    assert found[0].content == asked[2]
    written = haystack.Pipeline()
    written.add_component("text", PsifTextEmbedder(str(folder)))
    # Haystack asks its user to name the modules that a file may import.
    ours = ["psif.integrations.haystack"]
    read = haystack.Pipeline.loads(written.dumps(), allowed_modules=ours)
    answer = read.run({"text": {"text": asked[0]}})["text"]["embedding"]
    assert np.allclose(answer, expected[0], atol=1e-7)
    with pytest.raises(InputError, match="save it and give its folder"):
        PsifTextEmbedder(model).to_dict()


def test_bertopic(saved, expected):
    pytest.importorskip("bertopic", reason=WHY)
    from bertopic import BERTopic
    from bertopic.dimensionality import BaseDimensionalityReduction
    from sklearn.cluster import KMeans

    from psif.integrations.bertopic import PsifBackend

    model, folder, asked = saved
    assert np.allclose(PsifBackend(folder).embed(asked), expected, atol=1e-7)
    docs = texts(n_docs=60)
    topics = BERTopic(
        embedding_model=PsifBackend(model),
        umap_model=BaseDimensionalityReduction(),
        hdbscan_model=KMeans(3, random_state=0, n_init=3),
    )
    labels = np.array(topics.fit_transform(docs)[0])
    # The groups of the corpus take turns.
    assert all(len(set(labels[i::3])) == 1 for i in range(3))
    assert len(set(labels)) == 3
    assert topics.transform([docs[4]])[0][0] == labels[4]


def test_keybert(saved, expected):
    pytest.importorskip("keybert", reason=WHY)
    from keybert import KeyBERT

    from psif.integrations.keybert import PsifBackend

    model, folder, asked = saved
    assert np.allclose(PsifBackend(folder).embed(asked), expected, atol=1e-7)
    found = KeyBERT(model=PsifBackend(model)).extract_keywords(asked[0], top_n=3)
    scores = {word: model.similarity(asked[0], word) for word in set(asked[0].split())}
    for word, score in found:
        assert score == pytest.approx(scores[word], abs=1e-3)
    assert len(found) == 3


def test_chroma(saved, expected, tmp_path):
    chromadb = pytest.importorskip("chromadb", reason=WHY)
    from psif.integrations.chroma import PsifEmbeddingFunction

    model, folder, asked = saved
    function = PsifEmbeddingFunction(folder)
    assert np.allclose(function(asked), expected, atol=1e-7)
    client = chromadb.PersistentClient(str(tmp_path))
    made = client.create_collection("docs", embedding_function=function)
    made.add(ids=[str(i) for i in range(7)], documents=asked)
    # Without the function: the collection remembers which it was.
    opened = client.get_collection("docs")
    found = opened.query(query_texts=[asked[3]], n_results=7)
    assert found["ids"][0][0] == "3"
    near = found["ids"][0].index("0")
    distance = 1 - model.similarity(asked[3], asked[0])
    assert found["distances"][0][near] == pytest.approx(distance, abs=1e-5)
    with pytest.raises(InputError, match="save it and give its folder"):
        PsifEmbeddingFunction(model)


def test_mteb(saved, tmp_path):
    mteb = pytest.importorskip("mteb", reason=WHY)
    from scipy.stats import spearmanr

    from psif.integrations.mteb import PsifEncoder
    from tests.integrations.mteb_tasks import pairs_task

    model, folder, asked = saved
    firsts, seconds = asked[:5], asked[1:6]
    gold = [4.0, 1.0, 0.5, 3.0, 2.0]
    task = pairs_task(firsts, seconds, gold)
    for given in (model, folder):
        result = mteb.evaluate(PsifEncoder(given), task, cache=None, overwrite_strategy="always")
        score = result.task_results[0].get_score()
        cosines = model.similarity(firsts, seconds, paired=True)
        assert score == pytest.approx(spearmanr(cosines, gold).statistic, abs=1e-6)
