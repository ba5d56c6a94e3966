"""psif on a Dask cluster: the same steps, as sums over partitions.

``fit(model, documents, client=client)`` and ``transform(model, documents, client=client, out=...)``
take a Dask bag, a dataframe (or one of its columns) or a list of files.
"""

from __future__ import annotations

try:
    import distributed  # noqa: F401
except ImportError as error:
    from psif.errors import MissingExtraError

    raise MissingExtraError("dask[distributed]", "dask", "psif.distributed") from error

from psif.distributed.cluster import ClusterError
from psif.distributed.fitting import fit
from psif.distributed.transforming import TransformReport, transform

__all__ = ["ClusterError", "TransformReport", "fit", "transform"]
