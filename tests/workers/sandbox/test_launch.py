"""What a match runner relies on: turns, clocks, stopping, faults of silence, and nothing left."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tests.workers.sandbox.aftermath import lives
from tests.workers.sandbox.attacks.attack import ASKED, HEAD
from tests.workers.sandbox.hostile import ask, start
from workers.sandbox.command import ENVIRONMENT
from workers.sandbox.launch import Answer, BotProcess, SandboxRefused
from workers.sandbox.limits import Limits
from workers.sandbox.staging import Runtime

ECHO = "import sys\nfor line in sys.stdin: print('got', line.strip(), flush=True)\n"
BUDGET = (5000.0, 20_000.0)


def parent(pid: int) -> int:
    """Of a bot: the bwrap outside that waits for it."""
    return int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])


def test_a_bot_answers_line_by_line(runtime: Runtime) -> None:
    with start(runtime, ECHO) as bot:
        assert bot.exchange(b"a", *BUDGET).line == b"got a"
        assert bot.exchange(b"b\n", *BUDGET).line == b"got b"


def test_a_line_longer_than_a_pipe_arrives(runtime: Runtime) -> None:
    with start(runtime, "print(len(input()), flush=True)\ninput()") as bot:
        assert bot.exchange(b"x" * 262_144, *BUDGET).line == b"262144"


def test_a_bot_sees_the_sdk_and_its_own_folder_only(runtime: Runtime) -> None:
    code = """
import bots.sdk, engine_service.catalogue
assert 'claim' in engine_service.catalogue.names()
print(json.dumps([sorted(os.listdir('/')), os.listdir('/bot')]), flush=True)
"""
    root, own = json.loads(ask(runtime, code).line or b"[]")
    assert set(root) - {"lib64", "lib32"} == {
        "bin", "bot", "botenv", "dev", "etc", "lib", "tmp", "usr"
    }  # fmt: skip
    assert own == ["main.py"]


def test_a_bot_sees_no_variable_of_the_worker(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WORKER_SECRET", "s3cr3t")
    seen = json.loads(ask(runtime, "print(json.dumps(dict(os.environ)), flush=True)\n").line or b"")
    assert set(seen) - set(ENVIRONMENT) <= {"PWD", "OLDPWD", "SHLVL", "_", "LC_CTYPE"}
    assert seen["PYTHONHASHSEED"] == "0"


def test_a_bot_cannot_find_the_worker(runtime: Runtime) -> None:
    code = f"""
try: os.kill({os.getpid()}, 0); print('found', flush=True)
except ProcessLookupError: print('nobody', os.getpid(), os.getuid(), flush=True)
"""
    assert ask(runtime, code).line == b"nobody 1 65534"


def test_a_bot_holds_its_three_pipes_and_nothing_else(runtime: Runtime) -> None:
    code = """
held = []
for number in range(64):
    try: os.fstat(number); held.append(number)
    except OSError: pass
print(held, flush=True)
"""
    assert ask(runtime, code).line == b"[0, 1, 2]"


def test_cpu_time_is_the_bots_own_count(runtime: Runtime) -> None:
    burn = "t = time.process_time()\nwhile time.process_time() < t + .05: pass\n"
    code = (
        HEAD + "for line in sys.stdin:\n  " + burn.replace("\n", "\n  ") + "print(1, flush=True)\n"
    )
    with start(runtime, code) as bot:
        bot.exchange(b"", *BUDGET)
        answer = bot.exchange(b"", *BUDGET)
    assert 49 <= answer.cpu_ms <= 75
    assert answer.wall_ms >= answer.cpu_ms * 0.9


def test_a_stopped_bot_does_not_ponder(runtime: Runtime) -> None:
    code = """
import sys, threading
def spin():
    while True: pass
for line in sys.stdin:
    threading.Thread(target=spin, daemon=True).start()
    print('ok', flush=True)
"""
    with start(runtime, code) as bot:
        assert bot.exchange(b"", *BUDGET).line == b"ok"
        time.sleep(0.02)
        before = bot.cpu_ms()
        time.sleep(0.2)
        assert bot.cpu_ms() - before < 1
        assert bot.exchange(b"", *BUDGET).line == b"ok"


def test_a_bot_does_nothing_before_it_is_asked(runtime: Runtime) -> None:
    with start(runtime, "print('early', flush=True)\n") as bot:
        before = bot.cpu_ms()
        bot.pump(0.2)
        assert bot.cpu_ms() - before < 1
        assert bot.exchange(b"", *BUDGET).line == b"early"


def test_an_answer_within_the_wall_but_beyond_the_cpu_budget_is_late(runtime: Runtime) -> None:
    code = (
        HEAD
        + ASKED
        + "t = time.process_time()\nwhile time.process_time() < t + .1: pass\nprint(1)\n"
    )
    with start(runtime, code) as bot:
        fault = bot.exchange(b"", 60, 20_000).fault
    assert fault is not None
    assert (fault.ending, fault.wall) == ("timeout", False)


def test_output_nobody_asked_for_is_judged_at_the_next_question(runtime: Runtime) -> None:
    code = """
import os, sys
for line in sys.stdin: os.write(1, b'a\\n'); os.write(2, b'x'); os.write(1, b'b\\n')
"""
    with start(runtime, code) as bot:
        bot.exchange(b"", *BUDGET)
        bot.resume()
        time.sleep(0.05)
        fault = bot.exchange(b"", *BUDGET).fault
    assert fault is not None
    assert fault.ending == "illegal_action"


def test_unread_output_beyond_a_mebibyte_is_a_crash(runtime: Runtime) -> None:
    code = "import os\ninput(); os.write(1, b'a\\n')\nwhile True: os.write(1, b'b\\n' * 30_000)\n"
    with start(runtime, code) as bot:
        bot.exchange(b"", *BUDGET)
        bot.resume()
        until = time.monotonic() + 5
        while (fault := bot.exchange(b"", *BUDGET).fault) and time.monotonic() < until:
            if "unread" in fault.detail:
                break
            bot.resume()
            for _ in range(20):
                bot.pump(0.05)
    assert fault is not None
    assert (fault.ending, "unread" in fault.detail) == ("crash", True)


def test_the_log_keeps_its_end_and_starts_anew_with_a_match(runtime: Runtime) -> None:
    code = """
import sys
for line in sys.stdin: sys.stderr.write('x' * 70_000 + line); print(1, flush=True)
"""
    with start(runtime, code) as bot:
        bot.exchange(b"first", *BUDGET)
        assert len(bot.stderr_tail) == 65_536
        assert bot.stderr_tail.endswith(b"xfirst\n")
        bot.new_match()
        assert bot.stderr_tail == b""
        bot.exchange(b"next", *BUDGET)
        assert bot.stderr_tail.endswith(b"xnext\n")


def test_an_answer_of_a_bot_that_then_ends_counts(runtime: Runtime) -> None:
    with start(runtime, "input(); print('bye', flush=True)\n") as bot:
        assert bot.exchange(b"", *BUDGET).line == b"bye"
        fault = bot.exchange(b"", *BUDGET).fault
    assert fault is not None
    assert (fault.ending, fault.detail) == ("crash", "the process ended with exit code 0")


def test_a_message_without_an_answer_precedes_the_next_question(runtime: Runtime) -> None:
    code = "print(input(), input(), flush=True)\n"
    with start(runtime, code) as bot:
        bot.send(b"end\n")
        assert bot.exchange(b"hello", *BUDGET).line == b"end hello"


def test_two_bots_are_asked_at_the_same_time(runtime: Runtime) -> None:
    with start(runtime, ECHO) as first, start(runtime, ECHO) as second:
        first.ask(b"1", *BUDGET)
        second.ask(b"2", *BUDGET)
        answers: list[Answer | None] = [None, None]
        while None in answers:
            answers = [a or b.poll(0.01) for a, b in zip(answers, (first, second), strict=True)]
    assert [answer.line for answer in answers if answer] == [b"got 1", b"got 2"]


def test_many_starts_leave_no_descriptor(runtime: Runtime) -> None:
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(5):
        with start(runtime, ECHO) as bot:
            bot.exchange(b"", *BUDGET)
        bot.close()
    assert len(os.listdir("/proc/self/fd")) <= before


def test_an_interrupt_of_the_workers_terminal_does_not_reach_a_bot(runtime: Runtime) -> None:
    with start(runtime, ECHO) as bot:
        assert os.getpgrp() not in {os.getpgid(bot.pid), os.getpgid(parent(bot.pid))}


def test_a_killed_bwrap_is_no_fault_of_the_bot(runtime: Runtime) -> None:
    with start(runtime, HEAD + ASKED + "time.sleep(60)") as bot:
        os.kill(parent(bot.pid), signal.SIGKILL)
        with pytest.raises(SandboxRefused, match="SIGKILL"):
            bot.exchange(b"", *BUDGET)


def test_a_bot_is_started_from_the_main_thread_only(runtime: Runtime) -> None:
    caught: list[BaseException] = []

    def attempt() -> None:
        try:
            start(runtime, ECHO).close()
        except RuntimeError as error:
            caught.append(error)

    thread = threading.Thread(target=attempt)
    thread.start()
    thread.join()
    assert "main thread" in str(caught[0])
    assert not isinstance(caught[0], SandboxRefused)


def test_a_program_that_is_not_there_is_the_bots_crash(runtime: Runtime) -> None:
    folder = runtime.stage_folder(Path(__file__).parent)
    with BotProcess(folder, ["./nothing"], runtime, Limits()) as bot:
        fault = bot.exchange(b"", *BUDGET).fault
    assert fault is not None
    assert fault.ending == "crash"


def test_a_killed_worker_takes_its_bots_along(tmp_path: Path, project: Path) -> None:
    program = """
import sys, time
from pathlib import Path
from tests.workers.sandbox.hostile import start
from workers.sandbox.limits import Limits
from workers.sandbox.staging import Runtime
runtime = Runtime.prepare(Path(sys.argv[1]))
bot = start(runtime, 'while True: pass')
bot.ask(b'', 60_000, 60_000)
waiting = start(runtime, 'while True: pass')
print(bot.pid, waiting.pid, runtime.root, flush=True)
time.sleep(60)
"""
    worker = subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path)], cwd=project, stdout=subprocess.PIPE
    )
    with worker:
        assert worker.stdout is not None
        first, second, root = worker.stdout.readline().decode().split()
        bots = {int(first), int(second)}
        assert all(map(lives, bots))
        worker.send_signal(signal.SIGKILL)
        worker.wait()
    until = time.monotonic() + 5
    while any(map(lives, bots)) and time.monotonic() < until:
        time.sleep(0.01)
    assert not any(map(lives, bots))
    Runtime.prepare(tmp_path).close()
    assert not Path(root).exists()
