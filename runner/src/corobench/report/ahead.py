"""`python -m corobench.report.ahead`: what the first report would make once for what is installed is made with .venv instead."""

from __future__ import annotations

from corobench.report import render, templating


def make() -> None:
    """The engine of the interactive charts, and the templates compiled; each is kept where a report looks for it."""
    render.engine_script(render.KEPT)
    environment = templating.environment()
    for name in environment.list_templates(extensions=["j2"]):
        environment.get_template(name)


if __name__ == "__main__":
    make()
