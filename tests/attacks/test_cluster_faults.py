import pytest

from tests.attacks.cluster_faults import attack

pytestmark = [
    pytest.mark.xdist_group("distributed"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


def test_faults_of_a_cluster_lose_and_double_nothing():
    """A few here; ``make attack`` causes more."""
    tried, failures = attack(4, seed=1)
    assert failures == []
    assert tried == 4
