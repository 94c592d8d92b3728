"""`interrex play` and `interrex replay verify` with real bots in the real sandbox."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import bots
from cli.commands import app

SEED = "5a" * 32


def interrex(*words: str | Path) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words])


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The replays of two pairs."""
    out = tmp_path_factory.mktemp("play") / "replays"
    result = interrex(
        "play", "random", "first-legal", "--pairs", "2", "--seed", SEED, "--out", out, "--legal"
    )
    assert result.exit_code == 0, result.output
    assert f"seed {SEED}" in result.output
    assert "random v. first-legal" in result.output
    return out


def _first(folder: Path) -> dict[str, object]:
    content: dict[str, object] = json.loads(min(folder.iterdir()).read_bytes())
    return content


def test_every_leg_has_its_replay(played: Path) -> None:
    names = [f"pair-{pair:04d}-leg-{leg}.replay.json" for pair in (0, 1) for leg in (0, 1)]
    assert sorted(path.name for path in played.iterdir()) == names


def test_legs_of_a_pair_share_their_deal_and_swap_their_seats(played: Path) -> None:
    first, second = (
        json.loads((played / f"pair-0000-leg-{leg}.replay.json").read_bytes()) for leg in (0, 1)
    )
    assert first["deal"] == second["deal"]
    assert first["players"] == second["players"][::-1]


def test_the_legal_actions_stand_beside_every_ply(played: Path) -> None:
    plies = _first(played)["plies"]
    assert isinstance(plies, list)
    assert all(ply["action"] in ply["legal"] for ply in plies)
    assert all(len(ply["legal"]) == 1 for ply in plies if ply.get("forced"))


def test_a_seed_repeats_the_matches(played: Path, tmp_path: Path) -> None:
    words = ("play", "random", "first-legal", "--pairs", "2", "--seed", SEED, "--out", tmp_path)
    assert interrex(*words).exit_code == 0
    digests = [
        [json.loads(path.read_bytes())["digest"] for path in sorted(folder.iterdir())]
        for folder in (played, tmp_path)
    ]
    assert digests[0] == digests[1]


def test_true_replays_hold(played: Path) -> None:
    result = interrex("replay", "verify", *played.iterdir())
    assert result.exit_code == 0
    assert result.output.count(": ok, claim, ") == 4


def test_a_false_replay_is_named_with_its_ply(played: Path, tmp_path: Path) -> None:
    document = json.loads(min(played.iterdir()).read_bytes())
    document["plies"][3]["action"] = "K1"
    false = tmp_path / "false.replay.json"
    false.write_text(json.dumps(document))
    result = interrex("replay", "verify", min(played.iterdir()), false)
    assert result.exit_code == 1
    assert ": ok" in result.output
    assert "ply 3" in result.output
    (_, verdict) = json.loads(
        interrex("replay", "verify", min(played.iterdir()), false, "--json").output
    )
    assert (verdict["ok"], verdict["ply"]) == (False, 3)


def test_a_file_that_is_no_replay_does_not_hold(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("{")
    assert interrex("replay", "verify", tmp_path / "x.json").exit_code == 1


def test_a_file_that_is_not_there_is_wrong_usage(tmp_path: Path) -> None:
    result = interrex("replay", "verify", tmp_path / "x.json")
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1


def test_a_program_reads_the_record_and_its_faults(tmp_path: Path) -> None:
    interrex("bot", "new", tmp_path / "mine")
    (tmp_path / "mine" / "main.py").write_text("raise SystemExit(3)\n")
    words = ("play", tmp_path / "mine", "random", "--pairs", "1", "--seed", SEED, "--json")
    told = json.loads(interrex(*words).output)
    faults = told.pop("faults")
    assert told == {
        "game": "claim",
        "pairs": 1,
        "seed": SEED,
        "bots": [str(tmp_path / "mine"), "random"],
        "won": 0,
        "drawn": 0,
        "lost": 2,
        "no_contest": 0,
        "credit": 0.0,
        "credits": [0.0, 1.0],
    }
    assert [(fault["pair"], fault["leg"], fault["ending"]) for fault in faults] == [
        (0, 0, "crash"),
        (0, 1, "crash"),
    ]


def test_every_seat_has_a_bot_of_its_own() -> None:
    words = ("play", *["random"] * 4, "--game", "king_is_dead", "--option", "variant=cunning")
    result = interrex(*words, "--pairs", "1", "--seed", SEED, "--json")
    assert result.exit_code == 0, result.output
    told = json.loads(result.output)
    assert told["bots"] == ["random", "random (2)", "random (3)", "random (4)"]
    assert told["teams"] == [0, 1, 0, 1]
    assert told["faults"] == []
    first, second, third, fourth = told["credits"]
    assert (first, second) == (third, fourth)  # partners stay partners in every seating
    assert first + second == 1.0
    lines = interrex(*words, "--pairs", "1", "--seed", SEED).output.splitlines()
    assert lines[0].startswith("random and random (3): credit ")
    assert lines[1].startswith("random (2) and random (4): credit ")
    assert lines[2] == "4 matches, 0 faults"


def test_bots_of_one_name_are_told_apart() -> None:
    words = ("play", "random", "greedy", "random", "--game", "king_is_dead", "--pairs", "1")
    lines = interrex(*words, "--seed", SEED).output.splitlines()
    names = [line.partition(": credit ")[0] for line in lines[:3]]
    assert names == ["random", "greedy", "random (2)"]
    one_line = interrex("play", "random", "random", "--pairs", "1", "--seed", SEED).output
    assert one_line.startswith("random v. random (2): ")


def test_a_bot_of_ones_own_plays_and_its_faults_are_told(tmp_path: Path) -> None:
    assert interrex("bot", "new", tmp_path / "mine").exit_code == 0
    fine = interrex("play", tmp_path / "mine", "random", "--pairs", "1")
    assert fine.exit_code == 0
    assert "0 faults" in fine.output
    (tmp_path / "mine" / "main.py").write_text("raise SystemExit(3)\n")
    broken = interrex("play", tmp_path / "mine", "random", "--pairs", "1")
    assert broken.exit_code == 0
    assert "2 lost" in broken.output
    assert "crash" in broken.output


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A bot that never starts, and says why."""
    assert interrex("bot", "new", tmp_path / "broken").exit_code == 0
    program = "import sys\nprint('no wine today', file=sys.stderr)\nraise SystemExit(3)\n"
    (tmp_path / "broken" / "main.py").write_text(program)
    return tmp_path / "broken"


def test_matches_that_nobody_started_end_with_1_and_the_cause(broken: Path) -> None:
    result = interrex("play", broken, broken, "--pairs", "1")
    assert result.exit_code == 1
    assert result.stdout.count('exit code 3; last line on stderr: "no wine today"') == 4
    (line,) = result.stderr.splitlines()
    assert line.startswith(f"error: 2 of 2 matches could not be played: {broken} did not start")
    assert "no wine today" in line
    told = interrex("play", broken, broken, "--pairs", "1", "--json")
    assert told.exit_code == 1
    faults = json.loads(told.stdout)["faults"]
    assert [(each["leg"], each["stderr"]) for each in faults] == [
        (leg, "no wine today") for leg in (0, 0, 1, 1)
    ]


def test_a_terminal_shows_how_far_the_matches_are(broken: Path) -> None:
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "cli.main", "play", "random", str(broken), "--pairs", "2"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=theirs, text=True, timeout=60)
    os.close(theirs)
    shown = os.read(ours, 2**16).decode()
    os.close(ours)
    assert done.returncode == 0
    assert "4/4" in shown
    assert "no wine today" not in shown
    assert done.stdout.count("no wine today") == 4


def test_a_seed_repeats_the_check_of_a_bot() -> None:
    words = ("bot", "check", Path(bots.__file__).parent / "baselines" / "random", "--json")
    told = [json.loads(interrex(*words, "--seed", SEED).output) for _ in range(2)]
    assert told[0]["seed"] == SEED
    played = [[check["match"]["plies"] for check in each["checks"]] for each in told]
    assert played[0] == played[1]
    refused = interrex(*words, "--seed", "5A")
    assert refused.exit_code == 2
    assert "--seed: expected 64 hex digits" in refused.stderr


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("nobody", "random"), "baselines: "),
        (("x" * 5000, "random"), "baselines: "),
        (("", "random"), "baselines: "),
        (("random", "random", "--game", "chess"), "--game: expected one of claim, "),
        (("random", "random", "--seed", "xyz"), "64 hex digits"),
        (("random", "random", "--pairs", "0"), "--pairs"),
        (("random", "random", "--pairs", "9" * 20), "--pairs"),
        (("random",), "two at least"),
        (("random",) * 3, "seats: expected 2 for claim, got 3"),
        (("random",) * 5 + ("--game", "king_is_dead"), "2 or 3 or 4 for king_is_dead, got 5"),
        (("random", "random", "--option", "blind_peek=1"), "true or false"),
    ],
)
def test_wrong_usage_says_what_is_right(words: tuple[str, ...], text: str) -> None:
    result = interrex("play", *words)
    assert result.exit_code == 2
    assert text in result.stderr


def test_every_replay_gets_its_line_also_beside_one_that_is_missing(tmp_path: Path) -> None:
    vector = Path(__file__).parents[1] / "vectors" / "claim" / "claim-00.replay.json"
    result = interrex("replay", "verify", tmp_path / "x.json", vector)
    assert result.exit_code == 1
    assert interrex("replay", "verify", tmp_path / "x.json").exit_code == 2
    lines = result.output.replace("\n", " ")
    assert "x.json cannot be read" in lines
    assert "ok, claim, 52 plies" in lines
