from tests.attacks.model_files import attack


def test_mutated_models_are_noticed():
    """A few hundred here; ``make attack`` tries thousands."""
    tried, failures = attack(200)
    assert failures == []
    assert tried == 200
