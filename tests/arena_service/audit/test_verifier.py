"""The verifier that is not Python comes to the same verdict on the same files."""

from __future__ import annotations

import gzip
import json
import random
import re
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena_service.formats import catalogue
from arena_service.formats.format import Departure, Encounter, Group, Pairing
from tests.arena_service.audit import events
from tests.arena_service.audit.events import Lines
from tests.arena_service.audit.tampering import TAMPERINGS
from tests.arena_service.audit.verified import (
    NOT_PROVEN,
    OF_ANOTHER_GAME,
    PAIRINGS,
    PROVEN,
    paths,
    put,
)
from tests.arena_service.audit.verifier import HOLDS, NODE, VERIFIER, made, told, verify
from tests.arena_service.formats.play import field, play

# What the audit proves under names of its own.
PROOFS = {
    "file": ("file", "results"),
    "seats": ("seeds", "pairings"),
    "credits": ("results",),
    "terms": ("file",),
}
Exported = dict[str, Path]


NOT_DERIVED = {"final": "from round 1 on"}


@pytest.fixture(scope="module")
def exported(
    cup: Path, daily: Path, sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory
) -> Exported:
    """An export of each kind, by its name."""
    folder = tmp_path_factory.mktemp("kinds")
    return {"cup": cup, "daily": daily} | made(sqlite_template, folder)


@pytest.fixture(scope="module")
def verdicts(exported: Exported, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What is said of every changed file, by what was changed."""
    folder, files, read = tmp_path_factory.mktemp("changed"), list[Path](), dict[str, str]()
    for name, export, change in _changes():
        text = read.setdefault(export, json.dumps(events.read(exported[export])))
        lines: Lines = json.loads(text)
        change(lines)
        if name != "end.lines":
            lines[-1]["lines"] = len(lines) - 1
        packed = "".join(json.dumps(line) + "\n" for line in lines).encode()
        files.append(folder / f"{name}.gz")
        files[-1].write_bytes(gzip.compress(packed, compresslevel=1))
    return told(*files)


def _changes() -> list[tuple[str, str, Callable[[Lines], Any]]]:
    of_fields = [
        (path, field.export, lambda lines, p=path, v=field.value: put(lines, p, v))
        for path, field in PROVEN.items()
    ]
    of_games = [
        (path, "cup", lambda lines, p=path, v=value: put(lines, p, v))
        for path, value in OF_ANOTHER_GAME.items()
    ]
    of_pairings = [(name, export, change) for name, (export, change, _) in PAIRINGS.items()]
    others = [(case.name, "cup", case.change) for case in TAMPERINGS if case.node]
    return [*of_fields, *of_games, *of_pairings, *others]


def test_what_was_played_holds(exported: Exported) -> None:
    of_claim = [path for name, path in exported.items() if name != "king"]
    assert verify(*of_claim).returncode == 0
    for name, text in told(*of_claim).items():
        assert text.endswith(f"{HOLDS}\n"), text
        assert ("not derived here" in text) == (name in NOT_DERIVED)
        assert NOT_DERIVED.get(name, "") in text
        assert "taken as it stands: ratings, intervals" in text
        looked = dict(re.findall(r"(\w+) (\d+)", text.splitlines()[0]))
        assert name == "nobody" or min(map(int, looked.values())) > 0


@pytest.mark.parametrize("path", PROVEN)
def test_each_field_that_it_proves_is_told_when_changed(
    verdicts: dict[str, str], path: str
) -> None:
    assert PROVEN[path].says in verdicts[path]
    assert HOLDS not in verdicts[path]


@pytest.mark.parametrize("name", PAIRINGS)
def test_pairings_that_were_not_drawn_are_told(verdicts: dict[str, str], name: str) -> None:
    assert PAIRINGS[name][2] in verdicts[name]
    problems = {line.partition(":")[0] for line in verdicts[name].splitlines()}
    assert "pairings" in problems
    assert problems.isdisjoint({"replays", "results", "seeds"})


@pytest.mark.parametrize(
    "case", [case for case in TAMPERINGS if case.node], ids=lambda case: case.name
)
def test_what_the_audit_tells_is_told(verdicts: dict[str, str], case: Any) -> None:
    proofs = PROOFS.get(case.proof, (case.proof,))
    assert any(f"\n{proof}: " in verdicts[case.name] for proof in proofs), verdicts[case.name]


def test_every_field_is_proven_or_listed(exported: Exported) -> None:
    listed = {f"{kind}.{name}" for kind, names in NOT_PROVEN.items() for name in names}
    assert listed.isdisjoint(PROVEN)
    known = {*listed, *PROVEN, *OF_ANOTHER_GAME}
    inmost = {path for path in known if not any(each.startswith(f"{path}.") for each in known)}
    found = {
        path
        for name, file in exported.items()
        for line in events.read(file)
        for path in paths(line, line.pop("kind"))
        if name != "king"
    }
    missing = {path for path in found if not any(f"{path}.".startswith(f"{k}.") for k in inmost)}
    assert missing <= known, missing - known


@pytest.mark.parametrize("path", OF_ANOTHER_GAME)
def test_of_another_game_nothing_is_said(verdicts: dict[str, str], path: str) -> None:
    assert verdicts[path] == "another game than Claim, rules 1: not looked at\n"


def test_its_exit_code_tells_what_it_found(exported: Exported, tmp_path: Path) -> None:
    lines = events.read(exported["cup"])
    put(lines, "pair.seed", "0" * 64)
    changed = events.write(tmp_path / "changed.gz", lines)
    cup, king, missing = exported["cup"], exported["king"], tmp_path / "missing.gz"
    files = [(cup,), (changed,), (), (missing,), (king,), (cup, king), (king, missing)]
    assert [verify(*each).returncode for each in files] == [0, 1, 2, 2, 3, 3, 2]
    assert verify(changed, king, missing).returncode == 1


def test_what_is_no_file_is_one_plain_line(tmp_path: Path) -> None:
    missing = tmp_path / "missing.gz"
    for path, why in ((missing, "no such file"), (tmp_path, "illegal operation on a directory")):
        done = verify(path)
        assert (done.returncode, done.stderr) == (2, "")
        assert done.stdout.startswith(f"{path}: no file to look at: ")
        assert why in done.stdout
        assert done.stdout.count("\n") == 1


def test_it_prints_nothing_that_a_terminal_obeys(exported: Exported, tmp_path: Path) -> None:
    lines = events.read(exported["cup"])
    put(lines, "event.state", "\x1b[2Jcomplete")
    said = verify(events.write(tmp_path / "changed.gz", lines)).stdout
    assert "file: the event: ?[2Jcomplete" in said
    assert "\x1b" not in said


def test_what_is_no_whole_export_is_told(exported: Exported, tmp_path: Path) -> None:
    lines = events.read(exported["cup"])
    cut, empty, stray = tmp_path / "cut.gz", tmp_path / "empty.gz", tmp_path / "stray.gz"
    cut.write_bytes(exported["cup"].read_bytes()[:200])
    empty.touch()
    packed = [json.dumps(each) for each in (*lines[:-1], [1, 2], lines[-1] | {"lines": len(lines)})]
    stray.write_bytes(gzip.compress("\n".join(packed).encode()))
    put(lines, "event.pairs", 10**9)
    many = events.write(tmp_path / "many.gz", lines)
    said = told(cut, empty, stray, many)
    for name in ("cut", "empty"):
        assert said[name].startswith("looked at nothing\n")
        assert "file: it cannot be read as an export of Claim: " in said[name]
    assert "file: all lines: of no known kind is [[1,2]], should be []" in said["stray"]
    assert "pairs is 1, should be 1000000000" in said["many"]
    assert all(HOLDS not in text for text in said.values())


def test_it_names_bots_and_not_ids(verdicts: dict[str, str]) -> None:
    assert re.search(
        r'seats is \["ann-clai-4/bot-\d 1","ann-clai', verdicts["seats in a round robin"]
    )


def test_both_draw_any_field_alike(tmp_path: Path) -> None:
    """The functions of the verifier, led through tournaments of many fields."""
    rng = random.Random(1)
    courses = [
        _course(name, count, leave, rng)
        for name in ("round_robin", "gauntlet", "swiss", "double_elimination")
        for count in range(2, 18)
        for leave in (0.0, 0.2, 0.5)
    ]
    functions, _, _ = VERIFIER.read_text().partition("const codes =")
    ask = """
    const course = ({ known, ...book }) => known.reduce((played, then) => {
      const plan = { byes: [], ...FORMATS[book.event.format]({ ...book, ...then }, played) };
      const there = book.pairs.filter(({ round }) => round === played.length + 1);
      const points = (later) => plan.groups.map((group) => fought(group, there, later));
      return [...played, { ...plan, points }];
    }, []);
    console.log(JSON.stringify(JSON.parse(readFileSync(0)).map(course)));"""
    (tmp_path / "ask.mjs").write_text(functions + ask)
    said = subprocess.run(
        [NODE, tmp_path / "ask.mjs"],
        input=json.dumps([book for book, _ in courses]).encode(),
        stdout=subprocess.PIPE,
        check=True,
    )
    derived = Counter[str]()
    for (book, pairings), plans in zip(courses, json.loads(said.stdout), strict=True):
        for pairing, plan in zip([*pairings, Pairing(())], plans, strict=True):
            groups = [tuple(group) for group in plan["groups"]]
            assert (groups, plan["byes"]) == ([*pairing.groups], [*pairing.byes])
            is_told = plan.get("isTold", False)
            assert not is_told or len(pairing.byes) > 1
            derived[book["event"]["format"]] += not is_told
    assert len(derived) == 4
    assert min(derived.values()) > 90


def _course(
    name: str, count: int, leave: float, rng: random.Random
) -> tuple[dict[str, Any], list[Pairing]]:
    """A tournament as the verifier sees it, with who is `known` to have left; its pairings."""

    def results(_round: int, _group: Group) -> tuple[float, float]:
        return rng.choice(((2.0, 0.0), (1.0, 1.0), (0.0, 2.0)))

    def leaving(number: int) -> list[Departure]:
        is_out = rng.random() < 0.5
        return [Departure(rng.choice(ids), number, is_out)] if rng.random() < leave else []

    format, key = catalogue.find(name), rng.randrange(1000)
    ids = [f"v{number:03}" for number in range(count)]
    called, seeding = ids[: rng.randint(1, count - 1)], tuple(rng.sample(ids, count))
    rounds = format.rounds(count, rng.randint(1, count))
    terms = field(count, rounds, challengers=frozenset(called), seeding=seeding)
    ended, history, pairings = play(format, terms, results, key, leaving)
    event = {"id": "e1", "format": name, "rounds": rounds, "settings": {"challengers": called}}
    event |= {"key": f"{key:064x}", "entrants_digest": "0" * 64}
    entrants = [{"bot_version": e, "bot_id": e, "seed": seeding.index(e)} for e in ids]
    known = [
        {"left": [*then.left], "out": [*then.disqualified]}
        for then in map(ended.after, range(len(history) + 1))
    ]
    pairs = [
        {"round": number, "seats": each.group, "matches": _matches(each)}
        for number, round in enumerate(history, 1)
        for each in round.encounters
    ]
    book = {"event": event, "ids": ids, "entrants": entrants, "pairs": pairs, "known": known}
    return book | {"rounds": [{"byes": round.byes} for round in history]}, pairings


def _matches(encounter: Encounter) -> list[dict[str, Any]]:
    """The legs of a pair with those results; one more is cancelled where it is not whole."""
    mine, other = encounter.credits
    legs = [{"credits": [mine / 2, other / 2]}, {"credits": [other / 2, mine / 2]}]
    return [{"result": each} for each in (legs if encounter.whole else [*legs, None])]


def test_it_stays_readable() -> None:
    lines = VERIFIER.read_text().splitlines()
    assert len(lines) <= 300
    assert max(map(len, lines)) <= 120
    imported = {line.split('"')[1] for line in lines if line.startswith("import ")}
    assert all(name.startswith("node:") for name in imported)


def test_rubbish_is_no_export(tmp_path: Path) -> None:
    files = []
    for number, content in enumerate((b"", b"nothing", b"\x1f\x8b\x08", gzip.compress(b"[]"))):
        files.append(tmp_path / f"{number}.gz")
        files[-1].write_bytes(content)
    assert verify(*files).returncode == 1
    for text in told(*files).values():
        assert "\nfile: " in text
