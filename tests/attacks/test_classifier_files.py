from tests.attacks.classifier_files import attack


def test_mutated_classifiers_are_noticed():
    """Some here; ``make attack`` tries hundreds."""
    tried, failures = attack(60, seed=1)
    assert failures == []
    assert tried == 60
