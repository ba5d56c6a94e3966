from tests.attacks.index_files import attack


def test_damaged_files_never_give_wrong_hits():
    """Some damages here; ``python -m tests.attacks.index_files`` does more."""
    tried, failures = attack(60)
    assert failures == []
    assert tried == 60
