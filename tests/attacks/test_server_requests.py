"""The server among enemies; the long run is ``make attack``."""

from tests.attacks.server_requests import attack


def test_hostile_requests():
    tried, failures = attack(200)
    assert tried == 200
    assert failures == []
