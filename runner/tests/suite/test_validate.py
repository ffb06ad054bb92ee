"""Wrong manifests and specs: each is named by file, key and value when it is read, long before
anything is started.
"""

from __future__ import annotations

from pathlib import Path

import planted
import pytest

from corobench.errors import UserError
from corobench.suite.load import load_suite

RUNTIME = "planted/one/runtime.toml"
TOOLCHAIN = "planted/toolchain.toml"
SWITCH = "runner/workloads/switch.toml"
MEMORY = "runner/workloads/memory.toml"
HTTP = "runner/workloads/http.toml"
CROSSCHECK = '[crosscheck]\ncommand = ["{build}/crosscheck"]\n\n[[variant]]'


def wrong(root: Path, name: str, old: str, new: str) -> str:
    """What is said of a suite in whose file something was replaced; the file's name, with which
    that begins, aside.
    """
    planted.plant(root, {})
    file = root / name
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))
    with pytest.raises(UserError) as caught:
        load_suite(root)
    said = str(caught.value)
    assert said.startswith(f"{file}: ")
    return said.removeprefix(f"{file}: ")


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        (
            HTTP,
            'kind = "served"',
            'kind = "served"\nnonce = "first-task"',
            "nonce: a served workload has no iterations to pass it to",
        ),
        (
            SWITCH,
            'checksum = "== k * (nonce + m)"',
            'checksum = "== k * m"',
            "nonce: no check under [evidence] asks for it",
        ),
        (
            SWITCH,
            'nonce = "first-value"\n',
            "",
            "evidence.checksum: unknown name 'nonce' in 'k * (nonce + m)'; known: k, m",
        ),
        (
            RUNTIME,
            "{workload}.py",
            "{worklod}.py",
            "program.source: {worklod} has no value here; known: language, runtime, workload",
        ),
        (RUNTIME, '"{source}"]', '"{build}/x"]', "program.command: {build} has no value here"),
        (
            TOOLCHAIN,
            "title = ",
            'verify_options = ["{build}/x"]\ntitle = ',
            "verify_options: {build} has no value here",
        ),
        (
            RUNTIME,
            'source = "{runtime}/{workload}.py"',
            "source = []",
            "program.source: no place is named; name one at least",
        ),
        (
            RUNTIME,
            "threads = 1",
            'threads = 1\nprogram = { source = "{runtime}/a.py", command = ["{tol}"] }',
            "variant planted: program.command: {tol} has no value here",
        ),
        (
            RUNTIME,
            "threads = 1",
            'threads = 1\narguments = ["{cpu}"]',
            "variant planted: arguments: {cpu} has no value here",
        ),
        (
            RUNTIME,
            'COROBENCH_LOOP = "asyncio"',
            'COROBENCH_LOOP = "{lop}"',
            "variant planted: env.COROBENCH_LOOP: {lop} has no",
        ),
        (RUNTIME, "[[variant]]", CROSSCHECK, "crosscheck.command: {build} has no value here"),
        (
            RUNTIME,
            "[[variant]]",
            '[deviates]\nspwan = ""\n\n[[variant]]',
            "deviates: unknown workload 'spwan'",
        ),
        (
            RUNTIME,
            "threads = 1",
            'threads = "many"',
            "variant planted: threads: 'many' is neither a number of 1 or more nor '{cpus}'",
        ),
        (RUNTIME, "threads = 1", "threads = 0", "variant planted: threads: 0 is neither"),
        *(
            (RUNTIME, 'name = "planted"', f'name = "{name}"', "is no name: it has small letters")
            for name in ("a/b", "a~twin", "", "..", "Planted", "a b", "-a", "a" * 61)
        ),
        (
            RUNTIME,
            'title = "Planted"',
            'title = "Plan\\u202eted"',
            "title: U+202E (RIGHT-TO-LEFT OVERRIDE) can't be seen",
        ),
        (
            RUNTIME,
            "settings = {  }",
            'settings = { a = "{cpus} and more" }',
            "settings.a: '{cpus} and more': the only placeholder",
        ),
        (
            RUNTIME,
            'reference = ["one-cpu"]',
            'reference = ["all-cpus"]',
            "reference: it is not measured on the track all-cpus",
        ),
        (
            RUNTIME,
            'tracks = ["one-cpu"]',
            "tracks = []",
            "variant planted: tracks: name one track at least",
        ),
        (
            RUNTIME,
            "threads = 1",
            'threads = 1\nworkloads = ["spwan"]',
            "workloads: unknown workload 'spwan'; did you mean 'spawn'?",
        ),
        (
            RUNTIME,
            "threads = 1",
            'threads = 1\nlimit_reason = { spwan = "" }',
            "limit_reason: unknown workload 'spwan'",
        ),
        (
            RUNTIME,
            "threads = 1",
            "threads = 1\nvalues = { spawn = { n = [2, 100, 1_000] } }",
            "limit_reason: planted ends at n = 1,000 in spawn, and the spec goes on to "
            "10,000,000: say why",
        ),
        (
            RUNTIME,
            "threads = 1",
            "threads = 1\nparts = { Flask = 'flask==(?P<version>.+)' }",
            "variant planted: parts: their versions are looked up in the file that version_from "
            "names, and there is no version_from",
        ),
        (
            RUNTIME,
            "threads = 1",
            'threads = 1\nvalues = { spawn = { n = ["2"] } }',
            "values.spawn.n: '2' is no value that the spec",
        ),
        (
            TOOLCHAIN,
            "(?P<version>[0-9.]+)",
            "([0-9.]+)",
            "find.pattern: 'Python ([0-9.]+)' has no group (?P<version>...)",
        ),
        (
            TOOLCHAIN,
            "(?P<version>[0-9.]+)",
            "(?P<version>",
            "find.pattern: 'Python (?P<version>' is no regular expression",
        ),
        (TOOLCHAIN, '"3.11"', '"new"', "minimum: 'new' is no version; write numbers, such as 1.25"),
        (
            TOOLCHAIN,
            "[find]",
            '[out_of_resource_messages]\nlimit = [" "]\n[find]',
            "out_of_resource_messages.limit: an empty text, which every line",
        ),
        (
            TOOLCHAIN,
            "{candidate}",
            "{tool}",
            "find.probe: {tool} has no value here; known: candidate, language, multiarch, root, uv",
        ),
        (
            SWITCH,
            'tasks = "k"',
            'tasks = "tasks"',
            "tasks: unknown name 'tasks' in 'tasks'; known: k, m",
        ),
        (
            SWITCH,
            'resumes = "m"',
            'resumes = "m ** 2"',
            "resumes: 'm ** 2': 'm ** 2' is not allowed here",
        ),
        (
            SWITCH,
            'curve = "k"',
            'curve = "kk"',
            "curve: 'kk' is no parameter of the workload; they are k, m",
        ),
        (
            SWITCH,
            'ops = "== k * m"',
            'ops = "== k.real"',
            "evidence.ops: 'k.real': 'k.real' is not allowed here",
        ),
        (
            MEMORY,
            'ladder = "n"',
            'ladder = "nn"',
            "ladder: 'nn' is no parameter of the workload; they are n",
        ),
        (
            HTTP,
            "params = { phase = ",
            "params = { phas = ",
            "a point has params {'phas': 'many-keep'",
        ),
    ],
)
def test_what_is_wrong_is_named(
    tmp_path: Path, name: str, old: str, new: str, message: str
) -> None:
    assert message in wrong(tmp_path, name, old, new)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("over", '"kk"', "difference.d.over: 'kk' is no parameter"),
        ("of", "7", "difference.d.of: no point has k = 7; they have 1, 2, 100, 10000, 100000"),
        ("less", "7", "difference.d.less: no point has k = 7"),
        ("per", '"mm"', "difference.d.per: unknown name 'mm'"),
        ("name", '"time"', "'time' is the name of two metrics, differences or ratios"),
    ],
)
def test_a_difference_is_of_points_that_there_are(
    tmp_path: Path, key: str, value: str, message: str
) -> None:
    keys = {"name": '"d"', "title": '"d"', "over": '"k"', "of": "100", "less": "2", key: value}
    difference = "\n".join(f"{name} = {text}" for name, text in keys.items())
    assert message in wrong(
        tmp_path, SWITCH, "[[metric]]", f"[[difference]]\n{difference}\n\n[[metric]]"
    )


def test_a_hold_has_units(tmp_path: Path) -> None:
    assert "holds: 'live' is not among units" in wrong(tmp_path, MEMORY, 'live = "== n"\n', "")


@pytest.mark.parametrize(
    ("units", "message"),
    [
        ('{ alive = "<= n" }', "units.alive: there is no such hold"),
        ('{ live = "<= m" }', "verify n=2: units.live: unknown name 'm'"),
    ],
)
def test_units_of_a_verify_point_are_those_of_a_hold(
    tmp_path: Path, units: str, message: str
) -> None:
    found = "[[verify]]\nparams = { n = 2 }\n"
    assert message in wrong(tmp_path, MEMORY, found, f"{found}units = {units}\n")


@pytest.mark.parametrize("name", [RUNTIME, TOOLCHAIN, SWITCH])
def test_a_file_that_is_not_utf_8(tmp_path: Path, name: str) -> None:
    planted.plant(tmp_path, {})
    (tmp_path / name).write_bytes("title = 'Käse'".encode("latin-1"))
    with pytest.raises(UserError, match=r"\.toml: not UTF-8, as TOML must be: .* at byte 10"):
        load_suite(tmp_path)
