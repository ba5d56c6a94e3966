"""The language of a collection, found from its most frequent little words."""

from __future__ import annotations

from collections.abc import Mapping

# Frequent words that carry grammar, not content; about a third of running text is such words.
# Of languages that fit equally well the first is taken.
_LITTLE_WORDS = {
    "english": "the of and to in a is that for it with as was on be",
    "german": "der die und in den von zu das mit sich des auf ist nicht ein eine",
    "french": "de la le et les des en un une du que est dans pour qui au",
    "spanish": "de la que el en y a los se del las un por con una para",
    "italian": "di e che la il in un a per una non del sono si con",
    "portuguese": "de a o que e do da em um para com não uma os no",
    "dutch": "de van het een en in is dat op te zijn voor met niet",
    "russian": "и в не на что с он как это по но из у то за",
    "swedish": "och i att det som en på är av för med till den inte har",
    "norwegian": "og i det er på en som til av for at med ikke den har",
    "danish": "og i at det er en til på som af for med ikke den",
    "finnish": "ja on ei se että oli hän mutta ovat kun niin myös joka",
    "turkish": "ve bir bu için ile da de çok olarak daha olan gibi ne en",
    "arabic": "في من على أن إلى التي عن هذا مع كان ما هذه لا",
    "greek": "και το του η της να με την που για από στο είναι ο",
    "hungarian": "a az és hogy nem is egy ez volt meg csak de mint",
    "indonesian": "yang dan di dengan untuk dari pada ini tidak dalam itu adalah akan",
    "romanian": "de și în a la cu pe care nu din un o este să mai",
    "catalan": "de la que el i en a les els un una per amb del",
}
# Below this share of all words a collection is not sentences of a language that is listed.
_LEAST_SHARE = 0.05


def little_words(language: str) -> list[str]:
    """Return frequent words of a language that say nothing about a topic; none if unlisted."""
    return _LITTLE_WORDS.get(language, "").split()


def find_language(counts: Mapping[str, int]) -> str | None:
    """Return the language whose little words make up most of a text; None if none does.

    Parameters
    ----------
    counts : mapping of str to int
        How often each word occurs; words in lower case.

    >>> find_language({"the": 3, "cat": 1, "is": 2, "and": 1, "sat": 1})
    'english'
    """
    total = sum(counts.values())
    shares = {
        language: sum(counts.get(word, 0) for word in words.split())
        for language, words in _LITTLE_WORDS.items()
    }
    best = max(shares, key=shares.__getitem__)
    return best if total and shares[best] >= _LEAST_SHARE * total else None
