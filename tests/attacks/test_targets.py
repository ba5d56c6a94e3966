import pytest

from tests.attacks.targets import TARGETS, attack


@pytest.mark.parametrize("name", sorted(TARGETS))
def test_sound_files_are_read(name, tmp_path):
    target = TARGETS[name](tmp_path)
    assert target.seeds
    assert [target.problem(seed) for seed in target.seeds[:8]] == [None] * len(target.seeds[:8])


def test_readers_survive_mutations():
    """A few here; ``make attack`` tries more, and a fuzzer takes the same targets."""
    assert attack(120, seed=1) == (120, [])
