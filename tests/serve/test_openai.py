"""The official client gets the vectors of the model."""

import asyncio

import numpy as np
import openai
import pytest

from psif import PSIF
from tests import coroutines
from tests.corpora import texts

ASKED = [*texts(n_docs=5, seed=9), "", "nothing that it knows"]


@pytest.fixture
def client(server):
    with openai.OpenAI(base_url=server.url, api_key="unused", max_retries=0) as made:
        yield made


@pytest.fixture(scope="module")
def expected(folders):
    return {
        name: PSIF.load(folders[folder]).transform(ASKED[:5])
        for name, folder in (("full", "full"), ("small", "compact"))
    }


@pytest.mark.parametrize("encoding", ["float", "base64", None])
def test_vectors_are_those_of_the_model(client, expected, encoding):
    options = {} if encoding is None else {"encoding_format": encoding}
    answer = client.embeddings.create(model="full", input=ASKED, **options)
    if encoding == "base64":
        from tests.serve.running import from_base64

        rows = np.array([from_base64(item.embedding) for item in answer.data])
    else:
        rows = np.array([item.embedding for item in answer.data], dtype=np.float32)
    assert np.array_equal(rows[:5], expected["full"])
    assert not rows[5:].any()
    assert [item.index for item in answer.data] == list(range(7))
    assert answer.model == "full"
    assert answer.usage.prompt_tokens == sum(len(text.split()) for text in ASKED)


def test_a_single_text(client, expected):
    answer = client.embeddings.create(model="full", input=ASKED[0])
    assert np.allclose(answer.data[0].embedding, expected["full"][0], atol=1e-7)


def test_shorter_vectors_are_the_first_numbers(client, expected):
    answer = client.embeddings.create(model="small", input=ASKED[:5], dimensions=4)
    rows = np.array([item.embedding for item in answer.data])
    first = expected["small"][:, :4]
    cosines = (rows * first).sum(1) / np.linalg.norm(rows, axis=1) / np.linalg.norm(first, axis=1)
    assert rows.shape == (5, 4)
    assert np.allclose(cosines, 1, atol=1e-6)


@pytest.mark.parametrize(("model", "dimensions"), [("full", 4), ("small", 7), ("small", 0)])
def test_dimensions_that_the_model_does_not_have(client, model, dimensions):
    with pytest.raises(openai.BadRequestError, match="dimensions") as raised:
        client.embeddings.create(model=model, input="ship", dimensions=dimensions)
    assert raised.value.param == "dimensions"


@pytest.mark.parametrize("tokens", [[15, 20], [[15, 20], [3]]])
def test_token_ids_are_refused_clearly(client, tokens):
    with pytest.raises(openai.BadRequestError, match="token ids"):
        client.embeddings.create(model="full", input=tokens)


def test_an_unknown_model(client):
    with pytest.raises(openai.NotFoundError, match="does not exist") as raised:
        client.embeddings.create(model="fall", input="ship")
    assert raised.value.code == "model_not_found"
    assert "Did you mean 'full'?" in str(raised.value)


def test_models_are_listed(client):
    listed = {model.id: model for model in client.models.list()}
    assert set(listed) == {"full", "small", "docs.index", "kinds.clf"}
    assert listed["small"].dimensions == 6
    assert client.models.retrieve("kinds.clf").kind == "classifier"


def test_the_asynchronous_client(server, expected):
    async def ask():
        async with openai.AsyncOpenAI(base_url=server.url, api_key="x", max_retries=0) as client:
            calls = [client.embeddings.create(model="full", input=text) for text in ASKED[:5] * 8]
            return [answer.data[0].embedding for answer in await asyncio.gather(*calls)]

    rows = np.array(coroutines.run(ask()), dtype=np.float32)
    assert np.array_equal(rows, np.tile(expected["full"], (8, 1)))
