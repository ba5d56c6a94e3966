"""``psif info``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from psif.cli.options import json_option
from psif.cli.printing import echo, print_json
from psif.runtime.visible import visible

if TYPE_CHECKING:
    from psif.model.embedder import Embedder


@click.command(name="info")
@click.argument("model", type=click.Path(path_type=Path))
@json_option
def command(model: Path, as_json: bool) -> None:
    """Print the sizes and settings of a saved model.

    \b
    Examples:
      psif info vectors.model
      psif info vectors.model --json
    """
    from psif.model.embedder import Embedder

    facts = _facts(Embedder.load(model), model)
    if as_json:
        print_json(facts)
        return
    settings = facts.pop("settings")
    width = max(map(len, [*facts, *settings]))
    for name, value in facts.items():
        echo(f"{name:<{width}}  {visible(str(value))}")
    echo("")
    for name, value in settings.items():
        echo(f"{name:<{width}}  {visible(str(value))}")


def _facts(model: Embedder, path: Path) -> dict[str, Any]:
    files = [file for file in path.iterdir() if file.is_file()] if path.is_dir() else []
    return {
        "model": str(path),
        "bytes": sum(file.stat().st_size for file in files)
        if files
        else model.words_.vectors.nbytes,
        "topics": model.n_topics_,
        "partition": model.partition_,
        "vectors": model.vectors_,
        "words": model.vocabulary_.n_known,
        "word_dimensions": model.words_.dim,
        "numbers_per_vector": model.n_features_out_,
        "fitted_documents": model.vocabulary_.n_docs,
        "coverage": model.coverage_,
        "tokenizer": repr(model.tokenizer_),
        "settings": model.settings,
    }
