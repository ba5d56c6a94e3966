import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from psif.text import flat, id_store
from psif.text.flat import FlatDocs

id_lists = st.lists(st.lists(st.integers(0, 4), max_size=6), max_size=6)


def as_lists(docs):
    return [document.tolist() for document in docs]


def test_coverage_is_the_share_of_known_words():
    docs = FlatDocs(np.array([0, 1, 0], dtype=np.int32), np.array([0, 2, 3]), np.array([3, 1]))
    assert docs.coverage == 0.75
    assert FlatDocs.from_lists([]).coverage == 1.0


@given(id_lists, st.lists(st.integers(-1, 9), min_size=5, max_size=5), st.booleans())
def test_remap_agrees_with_its_twin(lists, new_ids, small):
    docs = FlatDocs.from_lists(lists)
    block, spill = flat._BLOCK, id_store.SPILL_IDS
    try:
        if small:
            flat._BLOCK, id_store.SPILL_IDS = 3, 2
        mapped = docs.remap(np.array(new_ids, dtype=np.int32))
    finally:
        flat._BLOCK, id_store.SPILL_IDS = block, spill
    expected = [[new_ids[i] for i in document if new_ids[i] >= 0] for document in lists]
    assert as_lists(mapped) == expected
    assert mapped.n_tokens.tolist() == [len(document) for document in lists]


@given(id_lists, st.integers(1, 7))
def test_blocks_cover_all_documents_once(lists, size):
    docs = FlatDocs.from_lists(lists)
    block = flat._BLOCK
    try:
        flat._BLOCK = size
        blocks = list(docs.blocks())
    finally:
        flat._BLOCK = block
    assert [i for first, last in blocks for i in range(first, last)] == list(range(len(lists)))
    for first, last in blocks:
        assert last - first == 1 or sum(map(len, lists[first:last])) <= size


@given(id_lists, id_lists)
def test_parts_and_wholes(left, right):
    joined = FlatDocs.concatenate([FlatDocs.from_lists(left), FlatDocs.from_lists(right)])
    assert as_lists(joined) == left + right
    assert as_lists(joined.part(len(left), len(joined))) == right
