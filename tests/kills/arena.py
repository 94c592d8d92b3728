"""A whole arena as processes that can be killed one by one."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from bots.packing import pack
from cli.client import Arena as Api
from cli.client import connect
from cli.failures import Exit, Failure
from cli.running import RUN_DIR_NOTE
from interrex.arena.v1.bot_service_pb2 import ListBotsRequest
from interrex.arena.v1.ladder_service_pb2 import (
    CreateLadderRequest,
    EnterLadderRequest,
    Limits,
    RunLadderNowRequest,
)
from interrex.arena.v1.tournament_service_pb2 import (
    CancelTournamentRequest,
    CreateTournamentRequest,
    EnterTournamentRequest,
    RunFinalRequest,
    StartTournamentRequest,
)
from tests.kills import processes

ROOT = Path(__file__).parents[2]
INTERREX = [sys.executable, "-m", "cli.main"]
BOT = Path(__file__).parent / "bot"
LADDER = "kills"
LIMITS = Limits(start_cpu_ms=2000, move_cpu_ms=100, bank_cpu_ms=1000)
LEASE_SECONDS = 4
PATIENCE_SECONDS = 120.0
NOTHING: Mapping[str, str] = {}
CONFLICT = "(CONFLICT)"
T = TypeVar("T")


class Arena:
    """`interrex up` on a data folder with short leases; counts `kills` by kind and `others`."""

    def __init__(
        self,
        data: Path,
        database_url: str | None = None,
        options: Sequence[str] = (),
        settings: Mapping[str, str] = NOTHING,
    ) -> None:
        """Without a `database_url` the arena keeps its SQLite file in `data`.

        `options` are those of `up`, `settings` variables of all its processes.
        """
        self.data = data
        self.options = options
        self.url = database_url or f"sqlite:///{data / 'interrex.db'}"
        self.kills: Counter[str] = Counter()
        self.others: Counter[str] = Counter()
        self.bots: list[Path] = []
        self._staged: set[Path] = set()
        self.environment = {
            **os.environ,
            "INTERREX_DATABASE_URL": self.url,
            "INTERREX_LEASE_SECONDS": str(LEASE_SECONDS),
            "INTERREX_LEASE_AT_MOST_SECONDS": str(LEASE_SECONDS),
            **settings,
        }
        self.up = self._launch()

    def _launch(self) -> subprocess.Popen[bytes]:
        command = [*INTERREX, "up", "--data", str(self.data), *self.options]
        up = subprocess.Popen(command, cwd=ROOT, env=self.environment)

        def is_up() -> bool:
            assert up.poll() is None, "up has ended"
            return self._published() == up.pid

        wait_for(is_up, "up to publish its addresses")
        return up

    @property
    def api(self) -> str:
        """Where its API answers."""
        return str(json.loads((self.data / "addresses.json").read_text())["api"])

    def _published(self) -> int:
        addresses = self.data / "addresses.json"
        return int(json.loads(addresses.read_text())["pid"]) if addresses.exists() else 0

    def interrex(self, *arguments: str) -> str:
        """The output of a command that must end well."""
        command = [*INTERREX, *arguments, "--data", str(self.data)]
        done = subprocess.run(
            command, cwd=ROOT, env=self.environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def enter(self, bots: list[Path], pairs: int) -> None:
        """A ladder with these bots, none of whose slots is due by itself for long."""
        self.bots = bots
        self.interrex("user", "create", "organiser")
        with connect(self.data) as api:
            api.ladders.CreateLadder(
                CreateLadderRequest(
                    name=LADDER,
                    game="claim",
                    cron="0 0 1 1 *",
                    timezone="UTC",
                    pairs_per_slot=pairs,
                    limits=LIMITS,
                )
            )
            submit(api, bots)
            for bot in bots:
                api.ladders.EnterLadder(EnterLadderRequest(ladder=LADDER, bot=bot.name))

    def run_slot(self) -> None:
        """Make the next slot due."""
        self._ask(lambda api: api.ladders.RunLadderNow(RunLadderNowRequest(ladder=LADDER)))

    def run_final(self, budget: int, steps: int) -> None:
        """Begin the final run of the ladder, unless one is on its way."""
        wanted = RunFinalRequest(ladder=LADDER, budget=budget, steps=steps)
        self._ask(lambda api: api.tournaments.RunFinal(wanted))

    def hold_cup(self, name: str, pairs: int = 1, webhook_url: str = "") -> None:
        """Start a tournament of all bots."""
        wanted = CreateTournamentRequest(
            name=name, game="claim", pairs=pairs, limits=LIMITS, webhook_url=webhook_url
        )
        self._ask(lambda api: api.tournaments.CreateTournament(wanted))
        for bot in self.bots:
            entry = EnterTournamentRequest(tournament=name, bot=bot.name)
            self._ask(lambda api, entry=entry: api.tournaments.EnterTournament(entry))
        started = StartTournamentRequest(tournament=name)
        self._ask(lambda api: api.tournaments.StartTournament(started))

    def cancel_cup(self, name: str) -> None:
        """End a tournament, unless it has ended."""
        unwanted = CancelTournamentRequest(tournament=name)
        self._ask(lambda api: api.tournaments.CancelTournament(unwanted))

    def _ask(self, call: Callable[[Api], object]) -> None:
        """Call the API until it answers; a conflict tells that an answer was lost before."""

        def is_answered() -> bool:
            try:
                with connect(self.data) as api:
                    call(api)
            except Failure as failure:
                if failure.code == Exit.REFUSED and CONFLICT not in failure.message:
                    raise
                return failure.code == Exit.REFUSED
            return True

        wait_for(is_answered, "an answer of the API")

    def find(self, kind: str) -> list[int]:
        """The living processes of a kind, among those that this `up` started."""
        return processes.of_kind(kind, self.up.pid)

    def kill(self, kind: str, chance: random.Random) -> None:
        """Kill one process of the kind with -9, as soon as there is one."""
        self._note_staged()
        if kind == "up":
            self._kill_up()
        else:
            victims = wait_for(lambda: self.find(kind), f"a process of the kind {kind}")
            os.kill(chance.choice(victims), signal.SIGKILL)
        self.kills[kind] += 1

    def _kill_up(self) -> None:
        """Kill `up`: all that it started must die with it; the next one clears up and goes on."""
        started, run_dir = processes.descendants(self.up.pid), self._run_dir()
        self.up.kill()
        self.up.wait()
        wait_for(lambda: not any(each.lives() for each in started), "all to die with up")
        assert run_dir.exists()
        self.up = self._launch()
        _check_left(run_dir)

    def _note_staged(self) -> None:
        for worker in self.find("matches"):
            self._staged |= processes.staged(worker)

    def _run_dir(self) -> Path:
        return Path((self.data / RUN_DIR_NOTE).read_text())

    def stop(self) -> None:
        """End it as a person would; nothing may be left behind."""
        self._note_staged()
        started = processes.descendants(self.up.pid)
        run_dir = self._run_dir()
        self.up.send_signal(signal.SIGTERM)
        assert self.up.wait(60) == 0
        assert [each for each in started if each.lives()] == []
        for folder in (run_dir, *self._staged):
            _check_left(folder)


def _check_left(folder: Path) -> None:
    """Nothing is left of a folder that was cleared; what was killed may take a moment to go."""
    assert not folder.exists()
    wait_for(lambda: not processes.naming(folder), f"the end of what runs on {folder}")


@contextmanager
def running(
    data: Path,
    database_url: str | None = None,
    options: Sequence[str] = (),
    settings: Mapping[str, str] = NOTHING,
) -> Iterator[Arena]:
    """An arena that is stopped at the end, whatever happened."""
    arena = Arena(data, database_url, options, settings)
    try:
        yield arena
    finally:
        if arena.up.poll() is None:
            arena.up.terminate()
            arena.up.wait(60)


def write_bots(folder: Path, count: int, think_seconds: float) -> list[Path]:
    """Folders of slow bots that differ in how they play."""
    found = []
    for stride in range(count):
        bot = folder / f"slow-{stride}"
        shutil.copytree(BOT, bot, ignore=shutil.ignore_patterns("__pycache__"))
        command = json.dumps(["python3", "main.py", str(stride), str(think_seconds)])
        manifest = f'name = "{bot.name}"\ngames = ["claim"]\nrun = {command}\nprotocol = "json"\n'
        (bot / "bot.toml").write_text(manifest)
        found.append(bot)
    return found


def submit(api: Api, bots: Sequence[Path]) -> None:
    """Upload the bots, and wait until all have come through their checks."""
    for bot in bots:
        api.submit(pack(bot))

    def are_active() -> bool:
        listed = api.bots.ListBots(ListBotsRequest()).versions
        return {each.state for each in listed} == {"active"}

    wait_for(are_active, "all bots to come through their checks")


def wait_for(probe: Callable[[], T], what: str, seconds: float = PATIENCE_SECONDS) -> T:
    """What `probe` gives as soon as it is true; a failed test after so many seconds."""
    deadline = time.monotonic() + seconds
    while not (found := probe()):
        assert time.monotonic() < deadline, f"waited {seconds:.0f} s for {what}"
        time.sleep(0.05)
    return found
