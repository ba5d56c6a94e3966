"""Slow, obvious twins of the fast text code."""

from collections import Counter

from psif.text.tokenizer import Tokenizer
from psif.text.unicode_ranges import HAN, LETTERS_MARKS_NUMBERS, parse


def split(text):
    """The unicode preset's words, character by character."""
    letters, han = (parse(ranges) for ranges in (LETTERS_MARKS_NUMBERS, HAN))
    words, word = [], ""
    for character in text:
        code = ord(character)
        whole = any(a <= code <= b for a, b in han)
        joins = not whole and any(a <= code <= b for a, b in letters)
        if word and not joins:
            words.append(word)
            word = ""
        if whole:
            words.append(character)
        if joins:
            word += character
    return [*words, word] if word else words


def count(texts, tokenizer: Tokenizer):
    """Words by falling count then alphabet, their counts, document counts, and documents as ids."""
    documents = [tokenizer(text) for text in texts]
    counts = Counter(word for document in documents for word in document)
    doc_counts = Counter(word for document in documents for word in set(document))
    words = sorted(counts, key=lambda word: (-counts[word], word))
    ids = [[words.index(word) for word in document] for document in documents]
    return words, [counts[w] for w in words], [doc_counts[w] for w in words], ids


def encode(texts, tokenizer: Tokenizer, words):
    """Documents as ids of known words, and the number of words of each."""
    documents = [tokenizer(text) for text in texts]
    ids = [[words.index(word) for word in document if word in words] for document in documents]
    return ids, [len(document) for document in documents]
