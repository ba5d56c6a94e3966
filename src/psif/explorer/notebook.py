"""The explorer inside a notebook, as a widget."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from psif.errors import InputError, MissingExtraError
from psif.explorer.answers import Answers
from psif.explorer.assets import asset, single_page
from psif.explorer.memory import collection_of
from psif.explorer.offline import offline_data
from psif.model.embedder import Embedder

# What a notebook sends to the browser and keeps in its file.
_MOST_BYTES = 64 << 20


def explore(
    model: Embedder,
    texts: Iterable[str],
    *,
    ids: Sequence[Any] | None = None,
    columns: Mapping[str, Sequence[Any]] | None = None,
    title: str = "Documents",
    height: int = 720,
) -> Any:
    """Return the explorer of some texts as a widget for Jupyter and its relatives.

    The widget holds the same page that ``psif explore --export`` writes, in a frame that can
    reach neither the notebook nor the network. ``widget.selected`` is the list of ids that was
    selected last in the page; set it to select documents from Python.

    Parameters
    ----------
    model : Embedder or PSIF
        A fitted model.
    texts : iterable of str
        Up to about 20,000 documents; give a sample of more.
    ids : sequence, optional
        One per text; without them the numbers from 0.
    columns : mapping of str to sequence, optional
        Other columns to colour and filter by: a dict of lists, or a data frame.
    title : str
    height : int, default=720
        Height of the page in pixels.

    Returns
    -------
    widget : anywidget.AnyWidget
        Needs the extra ``notebook``.
    """
    try:
        import anywidget
        import traitlets
    except ImportError as error:
        raise MissingExtraError("anywidget", "notebook", "the explorer in a notebook") from error
    collection = collection_of(model, texts, ids=ids, columns=columns, title=title)
    page = single_page(offline_data(Answers(collection)))
    if len(page) > _MOST_BYTES:
        raise InputError(
            f"the page of these {len(collection):,} texts has {len(page) >> 20} MB; a notebook "
            f"can hold {_MOST_BYTES >> 20} MB. Give fewer texts, or use psif explore."
        )

    class ExplorerWidget(anywidget.AnyWidget):
        """The explorer in a notebook."""

        _esm = asset("notebook.js")
        page = traitlets.Unicode().tag(sync=True)
        height = traitlets.Int().tag(sync=True)
        selected = traitlets.List(traitlets.Unicode()).tag(sync=True)

    return ExplorerWidget(page=page.decode("utf-8"), height=height)
