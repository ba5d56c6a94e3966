"""Fit and transform on a Dask cluster; here its workers are threads of this process."""

import json
import tempfile
from pathlib import Path

import pyarrow.parquet as pq

from distributed import Client, LocalCluster
from psif import Embedder
from psif.distributed import fit, transform
from psif.files.standard_library import docstrings


def main() -> None:
    docs = list(docstrings().items())
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for part in range(4):  # documents in several files, as a large collection would be
            file = Path(folder, f"part-{part}.jsonl")
            lines = [json.dumps({"id": name, "text": text}) for name, text in docs[part::4]]
            file.write_text("\n".join(lines), encoding="utf-8")
            files.append(str(file))
        with (
            LocalCluster(n_workers=2, processes=False, dashboard_address=None) as cluster,
            Client(cluster) as client,
        ):
            model = fit(Embedder(n_topics=20, dim=50, random_state=0), files, client=client)
            report = transform(model, files, client=client, out=str(Path(folder, "vectors")))
        print(report)
        table = pq.read_table(Path(folder, "vectors"))
        print(f"{table.num_rows} vectors with the columns {table.column_names}")


if __name__ == "__main__":
    main()
