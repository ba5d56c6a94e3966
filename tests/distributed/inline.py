"""A cluster without processes: tasks run at once, in this one. For many small examples."""

from __future__ import annotations

import itertools

import pytest

from psif import distributed
from psif.distributed import fitting, transforming
from psif.distributed.cluster import Cluster


class InlineCluster(Cluster):
    def share(self, value, *, keep=True):
        return value

    def submit(self, function, *args):
        return function(*args)

    def on_sources(self, function, calls):
        return self.start(function, calls)

    def start(self, function, calls):
        return [function(*call) for call in calls]

    def wait(self, futures, *, shown=False):
        pass

    def gather(self, futures, *, shown=False):
        return list(futures)


class Part:
    """Stands for one delayed partition."""

    def __init__(self, items, key):
        self.items, self.key = items, key

    def __iter__(self):
        return iter(self.items)


class Parts:
    """Stands for a Dask bag."""

    def __init__(self, *partitions):
        self._parts = [Part(items, f"part-{i}") for i, items in enumerate(partitions)]

    def to_delayed(self):
        return self._parts


def cut(items, borders):
    """Cut a list at some places; pieces may be empty."""
    places = [0, *sorted(min(b, len(items)) for b in borders), len(items)]
    return Parts(*(items[a:b] for a, b in itertools.pairwise(places)))


def inline(function, *args, **options):
    """Call fit or transform with the inline cluster."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (fitting, transforming):
            patch.setattr(module, "Cluster", InlineCluster)
            patch.setattr(module, "check_cluster", lambda client: None)
        return function(*args, client=None, **options)


def fit(model, documents, **options):
    return inline(distributed.fit, model, documents, **options)


def transform(model, documents, **options):
    return inline(distributed.transform, model, documents, **options)
