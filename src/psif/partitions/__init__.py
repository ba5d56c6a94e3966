"""Partitions of the word-vector space: words to topic codes.

Every partition has ``fit(vectors)`` (learn the topics) and ``encode(vectors)`` (topic codes of
any words, at most ``n_active`` of ``n_topics`` nonzero), and ``atoms_``, one vector per topic.
"""
