"""`list`: what there is, and what a profile measures of it."""

from __future__ import annotations

import click
import msgspec

from corobench import manifest, plan
from corobench.cli.common import find_root, selecting
from corobench.execute.served import server_cpus


@click.command("list")
@selecting
@click.option("--json", "as_json", is_flag=True, help="JSON on stdout.")
def list_command(chosen: plan.Selection, as_json: bool) -> int:
    """List runtimes, workloads and the cases that a profile measures."""
    suite = manifest.load_suite(find_root())
    made = plan.make_plan(suite, chosen, seed=0, cores=server_cpus())
    if as_json:
        click.echo(msgspec.json.encode({"runtimes": sorted(suite.runtimes), "workloads": sorted(suite.workloads), "plan": made}))
        return 0
    for name, runtime in suite.runtimes.items():
        click.echo(
            f"runtime   {name:32} {runtime.manifest.unit:16} {', '.join(runtime.variant.tracks):18} {runtime.variant.title}"
        )
    for name, workload in suite.workloads.items():
        click.echo(f"workload  {name:32} {workload.question}")
    for gap in made.gaps:
        where = f"{gap.workload}/{gap.point}" if gap.point else gap.workload
        click.echo(f"gap       {where + ' / ' + gap.runtime:32} {gap.reason}")
    click.echo(f"cases     {len(made.cases)} in profile {chosen.profile}, A/A controls included")
    return 0


COMMANDS = [list_command]
