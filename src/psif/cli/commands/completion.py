"""``psif completion``."""

from __future__ import annotations

import click


@click.command(name="completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print a script that completes the commands and options of psif in your shell.

    \b
    Examples:
      psif completion bash >> ~/.bashrc
      psif completion fish > ~/.config/fish/completions/psif.fish
    """
    from click.shell_completion import get_completion_class

    from psif.cli.main import psif

    completion = get_completion_class(shell)
    assert completion is not None
    click.echo(completion(psif, {}, "psif", "_PSIF_COMPLETE").source())
