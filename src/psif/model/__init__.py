"""The model: settings, presets, fitting, embedding, saving."""
