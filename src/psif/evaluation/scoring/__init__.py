"""How each kind of task is scored, once for all tasks of the kind."""
