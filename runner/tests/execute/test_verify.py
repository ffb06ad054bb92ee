"""What verify remembers, and that an interrupt ends it at once without forgetting what has
passed.
"""

from __future__ import annotations

import secrets
from pathlib import Path

import patience
import planted
import pytest

from corobench.execute import verify
from corobench.execute.verify import Job, Memory, Verified, job
from corobench.execute.watchdog import sweep
from corobench.suite.load import load_suite

HANGING = "import pathlib, sys, time\npathlib.Path({flag!r}).touch()\ntime.sleep(1000)\n"


def jobs(root: Path, sources: dict[str, str], mark: str) -> list[Job]:
    suite = planted.plant(root, sources)
    ready = [planted.program(suite, name, mark) for name in sources]
    return [job(program, program.workload, planted.prepared(), []) for program in ready]


def key(
    root: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    rules: str = "",
    cpus: int = 2,
    load: str = "load-1",
) -> str:
    suite = planted.plant(root, {"mixed": planted.honest("mixed")})
    program = planted.program(suite, "mixed", tools={"load": root / load / "bin" / "load"})
    with monkeypatch.context() as patched:
        if rules:
            patched.setattr(verify, "_rules", lambda: rules)
        patched.setattr(verify, "track_cpus", lambda _track: frozenset(range(cpus)))
        return job(program, program.workload, planted.prepared(), []).key


def test_what_decides_a_verdict_decides_the_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = key(tmp_path, monkeypatch)
    assert key(tmp_path, monkeypatch) == usual
    others = [
        key(tmp_path, monkeypatch, rules="other rules"),
        key(tmp_path, monkeypatch, cpus=8),
        key(tmp_path, monkeypatch, load="load-2"),
    ]
    assert len({usual, *others}) == 4


def test_what_is_only_verified_is_started_with_its_language_s_options(tmp_path: Path) -> None:
    owed = "import sys\n\nassert sys._xoptions['planted'] == 'baseline'"
    source = f"{owed}\n{planted.honest('baseline')}"
    (plain,) = jobs(tmp_path, {"baseline": source}, "0" * 16)
    toolchain = tmp_path / "planted" / "toolchain.toml"
    options = 'verify_options = ["-X", "planted={workload}"]'
    toolchain.write_text(f"{options}\n{toolchain.read_text()}")
    program = planted.program(load_suite(tmp_path), "baseline")
    work = job(program, program.workload, planted.prepared(), [])
    assert work.key != plain.key
    assert verify.check(work).problems == []
    assert "-X" not in program.command(1, [])


def test_a_pass_is_on_the_disk_before_the_next_is_known(tmp_path: Path) -> None:
    file = tmp_path / "verified.json"
    known: list[int] = []

    def say(_result: Verified) -> None:
        known.append(len(verify.Memory(file)._known))

    work = jobs(
        tmp_path,
        {name: planted.honest(name) for name in ("baseline", "spawn", "spawn-chain")},
        "0" * 16,
    )
    found = verify.verify(work, Memory(file), say)
    assert ([result.workload for result in found], known) == (
        ["baseline", "spawn", "spawn-chain"],
        [1, 2, 3],
    )
    again = verify.verify(work, Memory(file), lambda _result: None)
    assert all(result.remembered for result in again)


def test_an_interrupt_ends_the_programs_and_keeps_what_has_passed(tmp_path: Path) -> None:
    mark, file, flag = secrets.token_hex(8), tmp_path / "verified.json", tmp_path / "it-hangs"
    passes, hangs = jobs(
        tmp_path,
        {"baseline": planted.honest("baseline"), "spawn": HANGING.format(flag=str(flag))},
        mark,
    )
    waiting = [hangs] * len(verify.track_cpus("all-cpus"))

    def interrupt(result: Verified) -> None:
        """Comes when the first has passed and is being told; the second is hanging, and others
        wait for a CPU.
        """
        if result.workload == "baseline":
            patience.until(flag.exists)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        verify.verify([passes, hangs, *waiting], Memory(file), interrupt, lambda: sweep(mark))
    assert sweep(mark) == 0
    assert [result.workload for result in Memory(file)._known.values()] == ["baseline"]
