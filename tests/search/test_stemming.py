import pytest

from psif import InputError
from psif.search.languages import find_language
from psif.search.stemming import check_language, stem_words


def counts_of(text):
    words = text.lower().split()
    return {word: words.count(word) for word in words}


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("english", "It is a truth universally acknowledged that a man in want of a wife"),
        ("german", "Der Himmel über der Stadt ist nicht grau und das ist auch nicht schlecht"),
        ("french", "La maison de la grand-mère est dans la forêt et les enfants sont là"),
        ("spanish", "En un lugar de la Mancha de cuyo nombre no quiero acordarme que el"),
        ("russian", "Все счастливые семьи похожи и в этом не было ничего что он знал"),
    ],
)
def test_languages_are_found(language, text):
    assert find_language(counts_of(text)) == language


def test_lists_of_things_have_no_language():
    assert find_language(counts_of("salt pepper olive oil garlic onion")) is None
    assert find_language({}) is None


def test_stems_are_those_of_the_language():
    assert stem_words(["flows", "flowing"], "english") == ["flow", "flow"]
    assert stem_words(["Häuser".lower()], "german") == ["haus"]
    assert stem_words(["flows"], "none") == ["flows"]


def test_codes_and_numbers_are_not_stemmed():
    words = ["0x80070057s", "c++", "ab-12ing", "1990s"]
    assert stem_words(words, "english") == words


def test_unknown_language():
    with pytest.raises(InputError, match=r"no language is called 'englisch'. Did you mean 'engl"):
        check_language("englisch")
    with pytest.raises(InputError, match="language must be 'auto'"):
        check_language(5)
