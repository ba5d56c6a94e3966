import pytest
from benchmarks.__main__ import command
from click.testing import CliRunner

from psif import PsifError


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Call the benchmarks in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def call(*args, code=0):
        result = CliRunner().invoke(command, [str(arg) for arg in args])
        if code == 1:
            assert isinstance(result.exception, PsifError), result.output
        assert result.exit_code == code, result.output
        return result

    return call
