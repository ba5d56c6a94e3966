"""``python -m psif`` is ``psif``."""

from psif.cli import main

if __name__ == "__main__":
    main()
