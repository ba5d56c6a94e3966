"""How the whole suite runs."""

from hypothesis import settings

# The first call of a compiled loop takes its loading, and a busy machine any time: a deadline for
# one example would only say that.
settings.register_profile("psif", deadline=None)
settings.load_profile("psif")
