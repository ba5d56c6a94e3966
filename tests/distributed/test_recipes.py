"""The recipes of docs/distributed.md for other engines, where those are installed."""

import importlib.util
import os
import shutil
import subprocess
import sys
import textwrap

import pytest

from psif import PSIF
from tests import corpora

RAY = """
    import functools, numpy as np, psif, ray
    from psif.model.batches import embed_batch

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, configure_logging=False)
    documents = ray.data.from_items([{"id": i, "text": t} for i, t in enumerate(texts)])
    embed = functools.partial(psif.embed_batch, model=folder)
    vectors = documents.map_batches(embed, batch_format="pyarrow")
    rows = sorted(vectors.take_all(), key=lambda row: row["id"])
    ray.shutdown()
"""

SPARK = """
    import functools, psif
    from pyspark.sql import SparkSession

    spark = (SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
             .config("spark.driver.bindAddress", "127.0.0.1")
             .config("spark.driver.host", "127.0.0.1").getOrCreate())
    documents = spark.createDataFrame(list(enumerate(texts)), "id long, text string")

    def embed(batches):
        for batch in batches:
            yield psif.embed_batch(batch, folder)

    vectors = documents.mapInPandas(embed, "id long, text string, vector array<float>")
    rows = sorted((row.asDict() for row in vectors.collect()), key=lambda row: row["id"])
    spark.stop()
"""

FRAME = """
    import sys, warnings
    import numpy as np
    from psif import PSIF
    from tests import corpora
    folder = sys.argv[1]
    texts = corpora.texts(30)
    {recipe}
    expected = PSIF.load(folder).transform(texts)
    assert [row["id"] for row in rows] == list(range(30))
    assert np.array_equal(np.array([row["vector"] for row in rows], dtype=np.float32), expected)
"""


@pytest.mark.parametrize("name", ["ray", "pyspark"])
def test_recipe(name, tmp_path):
    if importlib.util.find_spec(name) is None:
        pytest.skip(f"{name} is not installed")
    if name == "pyspark" and not shutil.which("java"):
        pytest.skip("Spark needs Java")
    fitted = PSIF(corpora.vectors(), n_topics=3, random_state=0).fit(corpora.texts())
    fitted.save(tmp_path / "model")
    recipe = textwrap.indent(textwrap.dedent({"ray": RAY, "pyspark": SPARK}[name]), "    ")
    code = textwrap.dedent(FRAME.replace("    {recipe}", recipe))
    environment = {
        **os.environ,
        "PYSPARK_PYTHON": sys.executable,
        "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    }
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "model")],
        env=environment, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
