"""Campaign files: what is asked, by keys that are the same for whoever asks the same; and what is
wrong in one.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import fleets
import msgspec
import patience
import pytest
from needed import command

from corobench.errors import UserError
from corobench.fleet import engines
from corobench.fleet.campaign import jobs, load_campaign, unlike
from corobench.fleet.engines.slurm import Site, write_configuration

COMMIT = "a" * 40
LOCAL = {"name": "local"}


def test_a_job_is_known_by_what_was_asked(tmp_path: Path) -> None:
    first = jobs(fleets.write(tmp_path, COMMIT, LOCAL, ("classa", "classb"), repetitions=2))
    again = jobs(fleets.write(tmp_path, COMMIT, LOCAL, ("classa", "classb"), repetitions=2))
    other = jobs(fleets.write(tmp_path, "b" * 40, LOCAL, ("classa", "classb"), repetitions=2))
    assert list(first) == list(again)
    assert len(first) == 4
    assert not set(first) & set(other)
    assert len({job.seed for job in first.values()}) == 4


def test_each_run_once_goes_before_any_run_twice(tmp_path: Path) -> None:
    asked = jobs(fleets.write(tmp_path, COMMIT, LOCAL, ("classa", "classb"), repetitions=2))
    order = [(job.repetition, job.box_class) for job in asked.values()]
    assert order == [(1, "classa"), (1, "classb"), (2, "classa"), (2, "classb")]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (f'commit = "{COMMIT}"', 'commit = "HEAD"', "40 hex digits"),
        ('profile = "smoke"', 'profile = "smok"', "did you mean 'smoke'"),
        ('profile = "smoke"', 'profile = "smoke"\nboxes = ["clasa"]', "did you mean 'classa'"),
        ("repetitions = 1", "repetitions = 0", "no number of runs"),
        ("repetitions = 1", "repetitions = 20000", "split it"),
        ("repetitions = 1", "budget_s = -1.0", "no time that passes"),
        ('name = "local"', "", "engine.name is missing"),
        ('name = "local"', 'name = "slurn"', "did you mean 'slurm'"),
        ('name = "local"', 'name = "local"\npartition = "x"', "partition"),
        ('name = "local"', 'name = "local"\nwait_s = nan', "is no time"),
        (f'commit = "{COMMIT}"\n', "", "commit"),
        (f'commit = "{COMMIT}"', f'commit = "{COMMIT}"\ncomit = "x"', "comit"),
        (f'commit = "{COMMIT}"', f'commit = "{COMMIT[:7]}"', "40 hex digits"),
        ('deliver = ""', 'deliver = "ssh \'collector"', "is no command"),
        ("patience_s = 60.0", "patience_s = nan", "is no time"),
        ("repetitions = 1", "budget_s = inf", "no time that passes"),
        ('"load"', '"loat"', "did you mean 'load'"),
        ("[[measure]]", '[boxes.classb]\ncheckout = "here"\n[[measure]]', "no whole path"),
        ("[[measure]]", "[boxes.classb]\n[[measure]]", "checkout"),
        ('name = "local"', 'name = "slurm"\npartitions = "x"', "engine"),
        ("[boxes.classa]", "[boxes.Class_A]", "small letters"),
        ("[[measure]]", "[[measured]]", "measured"),
        ('title = "', "title = ", "not valid TOML"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, old: str, new: str, said: str) -> None:
    fleets.write(tmp_path, COMMIT, LOCAL)
    file = tmp_path / "planted.toml"
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))
    with pytest.raises(UserError) as wrong:
        engines.find(load_campaign(file))
    assert str(file) in str(wrong.value)
    assert said in str(wrong.value)


def test_facts_of_a_class_are_patterns() -> None:
    box = {"cpu": {"model": "AMD EPYC 9354 32-Core", "online": 32}, "kernel": {"release": "6.1.0"}}
    wanted = {"cpu.model": "AMD EPYC 9*", "cpu.online": 32}
    assert unlike(wanted, box) == []
    assert unlike({**wanted, "kernel.release": "6.6.*"}, box) == [
        "kernel.release is '6.1.0', and its class has '6.6.*'"
    ]
    assert unlike({"cpu.sockets": 1}, box) == ["cpu.sockets is None, and its class has 1"]


def test_a_configuration_has_each_class_and_asks_for_what_it_lacks(tmp_path: Path) -> None:
    bare = fleets.write(tmp_path, COMMIT, {"name": "slurm"})
    with pytest.raises(UserError, match=r"classa\.hosts"):
        write_configuration(bare, Site(controller="head"), tmp_path / "conf")
    known = {"cpus": 8, "memory_mb": 4096}
    full = fleets.write(
        tmp_path, COMMIT, {"name": "slurm"}, deliver="ssh head", hosts={"classa": "b[1-3]"}, **known
    )
    written = write_configuration(full, Site(controller="head"), tmp_path / "conf")
    assert {file.name: file.stat().st_mode & 0o111 > 0 for file in written} == {
        "slurm.conf": False,
        "cgroup.conf": False,
        "prolog": True,
        "epilog": True,
        "health": True,
    }
    text = (tmp_path / "conf/slurm.conf").read_text()
    assert "NodeName=b[1-3] CPUs=8 RealMemory=4096 Feature=classa" in text
    assert "OverSubscribe=EXCLUSIVE" in text
    assert "ssh head" in (tmp_path / "conf/health").read_text()
    with pytest.raises(UserError, match="--user"):
        write_configuration(full, Site(controller="head", user="root; rm"), tmp_path / "conf")


@pytest.mark.skipif(os.geteuid() != 0, reason="ONLY ROOT BECOMES ANOTHER USER: epilog as written")
def test_the_epilog_of_an_operator_ends_what_its_user_has_left(tmp_path: Path) -> None:
    """As it is written for a box, in a namespace whose processes are all that it sees."""
    command("ps")
    command("unshare", "--pid", "--fork", "--mount-proc", "true")
    campaign = fleets.write(
        tmp_path, COMMIT, {"name": "slurm"}, hosts={"classa": "b[1-3]"}, cpus=8, memory_mb=4096
    )
    (tmp_path / "checkout").mkdir()
    scontrol = tmp_path / "scontrol"
    scontrol.write_text(f'#!/bin/sh\necho "$@" >>{tmp_path}/asked\necho b2\n')
    scontrol.chmod(0o755)
    site = Site(controller="head", user="nobody")
    found = msgspec.structs.replace(site, path=f"{tmp_path}:{site.path}")
    write_configuration(campaign, found, tmp_path / "conf")
    script = """
        setpriv --reuid=nobody --clear-groups sleep 600 & theirs=$!
        sleep 600 & ours=$!
        until [ "$(ps -o user= -p $theirs)" = nobody ]; do sleep 0.05; done
        "$1" || exit 1
        wait $theirs; echo "theirs: $?"
        kill -0 $ours && echo "ours: lives"
    """
    apart = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"]
    done = subprocess.run(
        [*apart, "sh", "-c", script, "sh", str(tmp_path / "conf/epilog")],
        env={**os.environ, "SLURMD_NODENAME": "b2"},
        capture_output=True,
        text=True,
        timeout=patience.SECONDS,
        check=False,
    )
    told = done.stdout.splitlines()
    assert told[0].startswith("ended sleep ("), done
    assert told[-2:] == ["theirs: 137", "ours: lives"]
    assert "update" not in (tmp_path / "asked").read_text()
