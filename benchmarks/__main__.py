"""Run every benchmark, one process each, and rewrite its files under results/."""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
MODULES = sorted(
    path.stem
    for path in HERE.glob("*.py")
    if path.stem not in ("__init__", "__main__", "report", "vectors_report")
)

if __name__ == "__main__":
    failed = [
        name
        for name in sys.argv[1:] or MODULES
        if subprocess.run([sys.executable, "-m", f"benchmarks.{name}"], check=False).returncode
    ]
    sys.exit(f"failed: {', '.join(failed)}" if failed else 0)
