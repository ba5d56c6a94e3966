"""Texts that try a tokeniser: scripts, marks, odd case mappings, separators, broken code points."""

from hypothesis import strategies as st

ODD = (
    "aAbB zZ09_-'\n\t\0\x7fßİıΣσςǅﬀée\u0301àñ"
    "漢字々〇仮名かなカナ한글हिन्दीไทยעבריתعربي٣½²ⅷ𝔸𝟘𠀀𠀁🙂\u200d\u00ad\ud800\udfff﷽"
)

# What the rules for contractions, names and numbers look at; kana, flags, emoji and their marks.
RULED = "#'’+-.@_atsredvlmc019 \u0301\u0338=かが\u3099カーｶﾞ🇩🇪❤\ufe0f👍🏽\u200c한\u1100\u1161"

characters = st.one_of(
    st.sampled_from(ODD),
    st.sampled_from(RULED),
    st.sampled_from("ab "),
    st.characters(),
    st.characters(categories=["Cs"]),
)
texts = st.one_of(st.text(characters, max_size=40), st.text(st.sampled_from(RULED), max_size=12))
documents = st.lists(texts, max_size=8)
tokenizer_options = st.fixed_dictionaries(
    {
        "pattern": st.sampled_from(["words", "unicode", "paper"]),
        "lowercase": st.booleans(),
        "stop_words": st.sampled_from([[], ["a", "ab", "漢", "i\u0307"], ["b"]]),
        "min_length": st.integers(1, 3),
    }
)
