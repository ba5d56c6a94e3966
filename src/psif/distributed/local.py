"""A cluster of this machine's processes."""

from __future__ import annotations

from typing import Any

# Dask samples the stack of every worker a hundred times per second, for a page of its dashboard,
# and its own clock fifty times: both interrupt the work.
_SETTINGS = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "500ms",
}


def local_cluster(n_workers: int | None = None) -> Any:
    """Start workers of one thread each, by default as many as this machine has cores."""
    import dask

    import distributed

    # Dask gives up a worker that is down, for a second time, 15 seconds after it was first: it is
    # restarted anyway. This setting is read whenever a worker is lost.
    dask.config.set({"distributed.deploy.lost-worker-timeout": "1 day"})
    with dask.config.set(_SETTINGS):
        return distributed.LocalCluster(  # type: ignore[no-untyped-call]
            n_workers=n_workers,
            threads_per_worker=1,
            dashboard_address="127.0.0.1:0",
            host="127.0.0.1",
            silence_logs=50,
        )
