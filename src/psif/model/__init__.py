"""The model: settings, fitting, embedding, saving."""
