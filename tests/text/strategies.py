"""Texts that try a tokeniser: scripts, marks, odd case mappings, separators, broken code points."""

from hypothesis import strategies as st

ODD = (
    "aAbB zZ09_-'\n\t\0\x7fßİıΣσςǅﬀée\u0301àñ"
    "漢字々〇仮名かなカナ한글हिन्दीไทยעבריתعربي٣½²ⅷ𝔸𝟘𠀀𠀁🙂\u200d\u00ad\ud800\udfff﷽"
)

characters = st.one_of(
    st.sampled_from(ODD),
    st.sampled_from("ab "),
    st.characters(),
    st.characters(categories=["Cs"]),
)
texts = st.text(characters, max_size=40)
documents = st.lists(texts, max_size=8)
tokenizer_options = st.fixed_dictionaries(
    {
        "pattern": st.sampled_from(["unicode", "paper"]),
        "lowercase": st.booleans(),
        "stop_words": st.sampled_from([[], ["a", "ab", "漢", "i\u0307"], ["b"]]),
        "min_length": st.integers(1, 3),
    }
)
