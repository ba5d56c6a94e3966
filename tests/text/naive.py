"""Slow, obvious twins of the fast text code."""

from collections import Counter

from psif.text import unicode_ranges
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


def kind_of(character):
    """The class of a character in the preset "words"."""

    def among(*names):
        code = ord(character)
        return any(
            a <= code <= b for name in names for a, b in parse(getattr(unicode_ranges, name))
        )

    if among("HAN", "EMOJI"):
        return "whole"
    if among("REGIONAL_INDICATORS"):
        return "flag"
    if among("HIRAGANA"):
        return "hiragana"
    if among("KATAKANA"):
        return "katakana"
    if among("VARIATION_SELECTORS"):
        return "separator"
    if among("MARKS", "JOINERS"):
        return "mark"
    return "letter" if among("LETTERS_MARKS_NUMBERS") else "separator"


def split_words(text):
    """The words of the preset "words", one rule after the other, from left to right."""
    kinds = [kind_of(character) for character in text] + ["end"]
    words, at = [], 0

    def run(start, kind, most=None):
        """End of a run, start itself if none begins there."""
        if start >= len(text) or kinds[start] != kind:
            return start
        end = start + 1
        while kinds[end] == kind or (kinds[end] == "mark" and kind != "flag"):
            if end - start == most:
                break
            end += 1
        return end

    def letters_follow(at):
        return kinds[min(at, len(text))] in ("letter", "mark")

    def chain(at, signs, most):
        """End of more runs of letters, each after one of some signs."""
        for _ in range(most):
            if at < len(text) and text[at] in signs and run(at + 1, "letter") > at + 1:
                at = run(at + 1, "letter")
        return at

    def address(start):
        sign = chain(run(start, "letter"), ".+_-", 3)
        host = run(sign + 1, "letter")
        if text[sign : sign + 1] != "@" or host == sign + 1:
            return None
        return chain(host, ".-", len(text))

    def ending(at):
        for letters in ("t", "d", "m", "re", "ve", "ll"):
            end = at + 1 + len(letters)
            if text[at:end].lower() == "'" + letters and not letters_follow(end):
                return end
        return at

    def word_of_letters(start):
        end = run(start, "letter")
        if address(start):
            return address(start)
        if text[end : end + 2] == "++" and text[end + 2 : end + 3] != "+":
            return end + 2
        one_letter = end == start + 1 and text[start].isascii() and text[start].isalpha()
        if one_letter and text[end : end + 1] == "#" and not letters_follow(end + 1):
            return end + 1
        return number(start)

    def number(start):
        end = run(start, "letter")
        digits = "0123456789"
        while text[end : end + 1] == "." and text[end - 1] in digits:
            if text[end + 1 : end + 2] not in tuple(digits):
                break
            end = run(end + 1, "letter")
        return ending(end)

    while at < len(text):
        if text[at] == "#" and text[at + 1 : at + 2] in tuple("0123456789"):
            end = number(at + 1)
        elif kinds[at] == "letter":
            end = word_of_letters(at)
        elif kinds[at] in ("hiragana", "katakana"):
            end = run(at, kinds[at])
        elif kinds[at] in ("flag", "whole"):
            end = run(at, "flag", 2) if kinds[at] == "flag" else at + 1
        else:
            at += 1
            continue
        words.append(text[at:end])
        at = end
        if text[at : at + 2].lower() == "'s" and not letters_follow(at + 2):
            at += 2
    return words


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
