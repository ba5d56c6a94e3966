import subprocess
import sys

# An importer that is interrupted at the module with all the commands.
INTERRUPTED = """
import sys

class Interrupted:
    def find_spec(self, name, path=None, target=None):
        if name == "psif.cli.main":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupted())
from psif.cli import main
main()
"""


def test_an_interrupt_during_the_imports_is_one_line():
    ended = subprocess.run(
        [sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stderr) == (1, "Error: interrupted.\n")
