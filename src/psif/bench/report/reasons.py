"""Why a loop stays below 40 % of its ceiling, where it does."""

REASONS: dict[str, str] = {}
