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


def test_an_interrupt_after_the_command_changes_nothing():
    code = """
import atexit, os, signal
from psif.cli import main
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored if the tests run in background
atexit.register(os.kill, os.getpid(), signal.SIGINT)
main()
"""
    ended = subprocess.run(
        [sys.executable, "-c", code, "--version"], capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith("psif ")
