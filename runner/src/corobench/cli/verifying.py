"""`verify`: whether every program does what its spec asks."""

from __future__ import annotations

import click
import msgspec

from corobench import manifest, plan
from corobench.cli import ready
from corobench.cli.common import find_root, say, selecting
from corobench.execute.lock import no_run


@click.command("verify")
@selecting
@click.option("--fresh", is_flag=True, help="Verify again what is known to be right.")
@click.option("--json", "as_json", is_flag=True, help="JSON on stdout.")
def verify_command(chosen: plan.Selection, fresh: bool, as_json: bool) -> int:
    """Run every program small and traced, and hold it to its spec."""
    suite = manifest.load_suite(find_root())
    with no_run("verify"):
        made, prepared = ready.planned(suite, chosen, seed=0)
        if fresh:
            ready.memory_file(suite).unlink(missing_ok=True)
        results = ready.verified(suite, made, prepared)
    if as_json:
        click.echo(msgspec.json.encode(results))
    bad = [result for result in results if result.problems]
    say(f"verify: {len(results) - len(bad)} of {len(results)} programs do what their specs ask")
    return 1 if bad or ready.is_broken(prepared) else 0


COMMANDS = [verify_command]
