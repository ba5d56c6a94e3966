"""An HTTP server for saved models, indexes and classifiers, compatible with OpenAI's embeddings."""
