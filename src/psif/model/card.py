"""The model card: a description of a saved model for people, and for a model hub."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from psif.explain.topics import Topic

_TOPICS = 12
_TAGS = ("document-embeddings", "sentence-similarity", "static-embeddings")


def hub_metadata(task: str, tags: Sequence[str]) -> str:
    """Return the head of a card, which a model hub reads.

    Its form is that of https://huggingface.co/docs/hub/model-cards; ``task`` is the value of
    ``pipeline_tag``.
    """
    lines = "".join(f"- {tag}\n" for tag in ("psif", *tags))
    return f"---\nlibrary_name: psif\npipeline_tag: {task}\ntags:\n{lines}---\n\n"


def model_card(config: Mapping[str, Any], topics: Sequence[Topic]) -> str:
    """Return the Markdown text of the ``README.md`` of a model folder."""
    largest = sorted((t for t in topics if t.words), key=lambda topic: -topic.share)[:_TOPICS]
    named = "\n".join(f"| {t.index} | {t.share:.1%} | {_cell(t.words)} |" for t in largest)
    corpus = config["corpus"]
    size = config["n_features_out"]
    options = "\n".join(f"| `{k}` | `{v!r}` |" for k, v in sorted(config["params"].items()))
    return f"""{hub_metadata("feature-extraction", _TAGS)}# A psif model

Document embeddings by partition averaging (P-SIF), made with psif {config["psif_version"]}.

```python
from psif import PSIF

model = PSIF.load("this folder")
vectors = model.transform(["a new document", "and another"])   # shape (2, {size})
```

| | |
|---|---|
| words | {corpus["n_words"]:,} (vectors: {config["vectors"]}) |
| topics | {config["n_topics"]} ({config["partition"]}) |
| dimensions of a word vector | {config["dim"]} |
| dimensions of a document vector | {size:,} |
| fitted on | {corpus["n_docs"]:,} documents, {corpus["n_tokens"]:,} words |
| words with a vector | {corpus["coverage"]:.1%} |

## The largest topics

| topic | share of the corpus | words |
|---|---|---|
{named}

## Settings

| option | value |
|---|---|
{options}

## Files

`model.safetensors` holds the arrays, `vocab.txt` one word per line in the same order, `config.json`
the settings and the checksums of both. No file contains code, and loading the model runs none.
"""


def _cell(words: Sequence[str]) -> str:
    """Return words as text in a Markdown table."""
    return ", ".join(words).replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ")
