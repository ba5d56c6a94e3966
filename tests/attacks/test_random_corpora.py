from tests.attacks.random_corpora import attack


def test_random_corpora_and_settings():
    tried, failures = attack(25)
    assert failures == []
    assert tried == 25
