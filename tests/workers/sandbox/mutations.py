# ruff: noqa: E501
"""The protections of the sandbox, each taken away, and the attacks or checks that notice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tests.workers.sandbox.mutate import Edit
from workers.sandbox import seccomp

Where = Literal["any", "root", "user", "cgroup", "no cgroup"]
_NAMESPACES = {
    name: f'"--unshare-{name}"' for name in ("user", "ipc", "pid", "net", "uts", "cgroup")
}
_ACCOUNT = "the_kernels_account"


@dataclass(frozen=True)
class Mutation:
    """A protection that is gone, or several that stand in for each other, and who must notice.

    `where`: the modes in which it is a protection at all.
    """

    name: str
    edits: tuple[Edit, ...]
    noticed_by: tuple[str, ...]
    where: Where = "any"


def _shared(namespace: str) -> Edit:
    others = ", ".join(flag for name, flag in _NAMESPACES.items() if name != namespace)
    return Edit("command.namespaces", '"--unshare-all"', others)


def _without(text: str, instead: str = "") -> Edit:
    return Edit("command.namespaces", text, instead)


def _tree(old: str, new: str = "") -> Edit:
    return Edit("command.tree", old, new)


def _allowing(*calls: str) -> tuple[Edit, ...]:
    """The calls are allowed instead of denied."""
    denied = " ".join(call for call in seccomp._DENIED.split() if call not in calls)
    allowed = " ".join([*seccomp._ALLOWED.split(), *calls])
    return Edit("seccomp._DENIED", "", denied), Edit("seccomp._ALLOWED", "", allowed)


_NO_PID_SPACE = (_shared("pid"), _without(', "--as-pid-1"'))
_NO_SESSION = _without('"--new-session", ')
_KEPT_CAPABILITIES = _without('"--cap-drop", "ALL"', '"--cap-add", "ALL"')
_FORKS = (
    *_allowing("fork", "vfork", "clone"),
    Edit("seccomp.program", 'rules.rule(denied, "clone", _Compare(0, _MASKED_EQUAL, _CLONE_THREAD, 0))', "pass"),
    Edit("seccomp.program", 'rules.rule(_ACT_ALLOW, "clone", _Compare(0, _MASKED_EQUAL, thread_only, _CLONE_THREAD))', "pass"),
)  # fmt: skip
_SOCKETS = _allowing("socket", "connect")


def _limit(option: str) -> Edit:
    return Edit("command.limited", option)


NAMESPACES = [
    Mutation("process namespace (with --as-pid-1, which needs it)", _NO_PID_SPACE, ("signals_another", "sees_another")),
    Mutation("--as-pid-1", (_without(', "--as-pid-1"'),), ("spins",)),
    Mutation("network namespace", (_shared("net"),), (_ACCOUNT,)),
    Mutation("network namespace + socket rules", (_shared("net"), *_SOCKETS), ("connects_by_tcp", "connects_to_an_abstract_socket")),
    Mutation("IPC namespace", (_shared("ipc"),), (_ACCOUNT,)),
    Mutation("IPC namespace + System V rules", (_shared("ipc"), *_allowing("shmget", "shmat")), ("reads_shared_memory", "leaves_shared_memory")),
    Mutation("host name's namespace (with --hostname, which needs it)", (_shared("uts"), _without(', "--hostname", "bot"')), (_ACCOUNT, "reads_the_hosts_name")),
    Mutation("cgroup namespace", (_shared("cgroup"),), (_ACCOUNT,)),
    Mutation("--hostname", (_without(', "--hostname", "bot"'),), ("reads_the_hosts_name",)),
    Mutation("--die-with-parent", (_without('"--die-with-parent", '),), ("dies_with_its_worker",)),
    Mutation("--new-session", (_NO_SESSION,), ("kills_its_group",)),
    Mutation("bwrap's own session", (Edit("confined.Confined._popen", "start_new_session=True", "start_new_session=False"),), (_ACCOUNT,)),
    Mutation("both sessions", (_NO_SESSION, Edit("confined.Confined._popen", "start_new_session=True", "start_new_session=False")), ("signals_its_group",), "user"),
    Mutation("--uid and --gid", (_without('"--uid", str(BOT_ID), "--gid", str(BOT_ID), '),), ("is_anybody_but_nobody",), "user"),
    Mutation("--cap-drop (capabilities are kept)", (_KEPT_CAPABILITIES,), (_ACCOUNT, "keeps_capabilities")),
    Mutation("bwrap's empty environment", (Edit("confined.Confined._popen", "env={}", "env=None"),), (_ACCOUNT,)),
    Mutation("bwrap's empty environment + --clearenv", (Edit("confined.Confined._popen", "env={}", "env=None"), _without(', "--clearenv"')), ("reads_its_environment",)),
    Mutation("the worker's descriptors are closed", (Edit("confined.Confined._popen", "pass_fds=descriptors", "pass_fds=[*descriptors, *(n for n in range(3, 64) if n not in descriptors and os.path.exists(f'/proc/self/fd/{n}') and os.get_inheritable(n))]"),), ("reads_leaked_descriptors",)),
    Mutation("the bots' user", (Edit("confined.Confined._popen", "user=command.BOT_ID if as_root else None", "user=None"),), (_ACCOUNT,), "root"),
    Mutation("the bots' group", (Edit("confined.Confined._popen", " group=command.BOT_ID if as_root else None", " group=0"),), (_ACCOUNT,), "root"),
    Mutation("no further groups", (Edit("confined.Confined._popen", "extra_groups=[] if", "extra_groups=[4] if"),), (_ACCOUNT,), "root"),
]  # fmt: skip
TREE = [
    Mutation("read-only /usr", (_tree('["--ro-bind", "/usr", "/usr"]', '["--bind", "/usr", "/usr"]'),), ("finds_a_writable_mount",)),
    Mutation("read-only /botenv", (_tree('"--ro-bind", str(botenv)', '"--bind", str(botenv)'),), ("finds_a_writable_mount",)),
    Mutation("read-only /bot", (_tree('"--ro-bind", str(bot_dir)', '"--bind", str(bot_dir)'),), ("finds_a_writable_mount",)),
    Mutation("read-only /bot, as the worker's own user", (_tree('"--ro-bind", str(bot_dir)', '"--bind", str(bot_dir)'),), ("writes_its_program", "fills_its_folder"), "user"),
    Mutation("--remount-ro /", (_tree(', "--remount-ro", "/"'),), ("writes_the_root", "writes_tmp", "writes_devices", "fills_tmp", "fills_shared_memory", "fills_devices", "fills_the_root", "makes_many_files", "leaves_a_file_for_another")),
    Mutation("no tmpfs at /tmp", (_tree('"--dir", "/tmp"', '"--tmpfs", "/tmp"'),), ("fills_tmp", "makes_many_files")),
    Mutation("three devices only", (_tree('"--dev-bind", device, device', '"--dev-bind", "/dev", "/dev"'),), ("opens_a_random_device",)),
    Mutation("no /dev of bwrap's own", (_tree('"--dev-bind", device, device', '"--dev", "/dev"'),), ("writes_devices",)),
    Mutation("no /proc", (_tree('"--chdir"', '"--proc", "/proc", "--chdir"'),), ("lists_processes",)),
    Mutation("no /sys", (_tree('"--chdir"', '"--ro-bind", "/sys", "/sys", "--chdir"'),), ("lists_the_kernel",)),
    Mutation("no /etc", (_tree('["--ro-bind", "/usr", "/usr"]', '["--ro-bind", "/usr", "/usr", "--ro-bind", "/etc", "/etc"]'),), ("reads_passwd",)),
    Mutation("no /var", (_tree('"--chdir"', '"--ro-bind", "/var", "/var", "--chdir"'),), ("lists_var",)),
    Mutation("none of the host's /tmp", (_tree('"--dir", "/tmp"', '"--ro-bind", "/tmp", "/tmp"'),), ("reads_a_public_file", "reads_a_private_file")),
    Mutation("none of the host's /tmp + socket rules", (_tree('"--dir", "/tmp"', '"--ro-bind", "/tmp", "/tmp"'), *_SOCKETS), ("connects_to_a_socket_file",)),
]  # fmt: skip
FILTER = [
    Mutation("the whole filter", (Edit("confined.Confined._spawn", '"--seccomp", str(filter_fd), '),), (_ACCOUNT, "is_not_filtered", "makes_a_user_namespace", "forks")),
    Mutation("rest refused (the filter's default)", (Edit("seccomp._Filter.__init__", "_ACT_ERRNO | errno.ENOSYS", "0x7FFC0000"),), ("outliving_the_worker", "large_pipes", "leaves_a_locked_range")),
    Mutation("other architectures refused", (Edit("seccomp._Filter.__init__", "self._context, _OPTIMIZE, _BINARY_TREE", "self._context, 2, _ACT_ALLOW"),), ("calls_as_32_bit",)),
    Mutation("socket rules", _SOCKETS, ("makes_an_internet_socket", "makes_a_netlink_socket")),
    Mutation("process rules", _FORKS, ("forks", "leaves_a_daemon", "runs_a_shell", "clone_a_process", "fork_bomb")),
    Mutation("process rules, by memory", _FORKS, ("memory_of_many",), "no cgroup"),
    Mutation("no clone3", _allowing("clone3"), ("clone3",)),
    Mutation("ptrace rule", _allowing("ptrace"), ("asks_to_be_traced",)),
    Mutation("memory rules", _allowing("process_vm_readv"), ("reads_its_memory_by_a_call",)),
    Mutation("pidfd rules", _allowing("pidfd_open", "pidfd_getfd"), ("pidfd_of_itself",)),
    Mutation("priority rule", _allowing("setpriority"), ("changes_its_priority",)),
    Mutation("priority rule + process namespace", (*_allowing("setpriority"), *_NO_PID_SPACE), ("makes_another_nice",)),
    Mutation("userfaultfd rule", _allowing("userfaultfd"), ("userfaultfd",)),
    Mutation("io_uring rules", _allowing("io_uring_setup"), ("io_uring",)),
    Mutation("keyring rules", _allowing("keyctl", "add_key"), ("keyring", "adds_a_key")),
    Mutation("namespace rules", _allowing("unshare", "setns"), ("makes_a_user_namespace", "joins_a_namespace")),
    Mutation("System V rules", _allowing("shmget", "semget", "msgget"), ("leaves_shared_memory", "semaphores", "message_queue")),
    Mutation("queue rules + --msgqueue", (*_allowing("mq_open"), _limit(', "--msgqueue=0"')), ("posix_queue",)),
    Mutation("memory file rule", _allowing("memfd_create"), ("memory_file",)),
    Mutation("memory file rule + --fsize", (*_allowing("memfd_create"), Edit("command.limited", 'f"--fsize={_FILE_BYTES}", ')), ("memory_in_a_file",), "no cgroup"),
    Mutation("memory lock rules + --memlock", (*_allowing("mlock"), _limit(', "--memlock=0"')), ("locks_memory",)),
    Mutation("inotify rules", _allowing("inotify_init1"), ("watches_files",)),
    Mutation("pipe page rules", _allowing("vmsplice"), ("gives_pages_to_a_pipe",)),
    Mutation("execveat rule", _allowing("execveat"), ("execveat",)),
    Mutation("personality rule", _allowing("personality"), ("no_address_randomization",)),
    Mutation("scheduling rules", _allowing("sched_setscheduler", "ioprio_set"), ("fallback_scheduling", "idles_its_disk_accesses")),
    Mutation("memory policy rules", _allowing("set_mempolicy"), ("moves_its_memory",)),
    Mutation("identity rules", _allowing("setuid", "setgid", "setgroups"), ("becomes_root", "becomes_roots_group")),
    Mutation("ownership rules", _allowing("chown"), ("gives_a_file_away",)),
    Mutation("file lock rule", _allowing("flock"), ("leaves_a_locked_file",)),
    Mutation("lock commands of fcntl", (Edit("seccomp._FCNTL", "", (*seccomp._FCNTL, 6, 37)),), ("leaves_a_locked_range", "leaves_a_lock_of_an_open_file")),
    Mutation("pipe commands of fcntl", (Edit("seccomp._FCNTL", "", (*seccomp._FCNTL, 8, 1031)),), ("large_pipes", "signals_of_a_pipe")),
    Mutation("page cache rules", _allowing("preadv2", "fadvise64", "readahead", "mincore"), ("asks_whether_a_page_is_cached", "drops_cached_pages", "caches_pages", "asks_which_pages_are_there")),
    Mutation("terminal requests of ioctl", (Edit("seccomp._IOCTL", "", (*seccomp._IOCTL, 0x5412)),), ("types_into_a_terminal",)),
    Mutation("options of prctl", (Edit("seccomp._PRCTL", "", (*seccomp._PRCTL, 1, 22)),), ("outliving_the_worker", "its_own_filter")),
    Mutation("mount rules + --cap-drop", (*_allowing("mount", "umount2", "chroot"), _KEPT_CAPABILITIES), ("mounts", "unmounts", "chroot")),
    Mutation("host name and capability rules + --cap-drop", (*_allowing("sethostname", "capset"), _KEPT_CAPABILITIES), ("sets_the_hosts_name", "takes_all_capabilities")),
]  # fmt: skip
LIMITS = [
    Mutation("--nproc", (Edit("command.limited", ' f"--nproc={limits.threads}",'),), ("thread_bomb",)),
    Mutation("--nproc + pids.max", (Edit("command.limited", ' f"--nproc={limits.threads}",'), Edit("cgroup.Cgroup._limit", '_set(pids / "pids.max", tasks)', "pass")), ("thread_bomb",), "cgroup"),
    Mutation("pids.max", (Edit("cgroup.Cgroup._limit", '_set(pids / "pids.max", tasks)', "pass"),), (_ACCOUNT,), "cgroup"),
    Mutation("--nofile", (Edit("command.limited", ', f"--nofile={OPEN_FILES}"'),), ("opens_many_files",)),
    Mutation("--fsize", (Edit("command.limited", 'f"--fsize={_FILE_BYTES}", '),), (_ACCOUNT,)),
    Mutation("--core", (_limit('"--core=0", '),), (_ACCOUNT, "dumps_its_memory")),
    Mutation("--memlock", (_limit('"--memlock=0", '),), (_ACCOUNT,)),
    Mutation("--msgqueue", (_limit(', "--msgqueue=0"'),), (_ACCOUNT,)),
    Mutation("--sigpending", (Edit("command.limited", 'line.append(f"--sigpending={_TIMERS}")', "pass"),), ("hoards_timers",)),
    Mutation("--as", (Edit("command.limited", 'line.append(f"--as={limits.memory_bytes}")', "pass"),), ("memory_bomb",), "no cgroup"),
    Mutation("the memory limit of the cgroup", (Edit("cgroup.Cgroup.create", "group._limit(memory_bytes", "group._limit(1 << 40"),), ("memory_bomb",), "cgroup"),
    Mutation("the bot is put into its cgroup", (Edit("confined.Confined._pass_gate", "self._cgroup.add(self.pid)", "pass"),), ("memory_bomb",), "cgroup"),
    Mutation("the cgroup is asked why a bot died", (Edit("confined.Confined.death", "self._cgroup is not None and", "False and"),), ("memory_bomb",), "cgroup"),
    Mutation("the cgroup is removed", (Edit("confined.Confined.close", "_remove(group)", "pass"),), ("exits",), "cgroup"),
]  # fmt: skip
WORKER = [
    Mutation("stopped before the first question", (Edit("confined.Confined._pass_gate", "self.signal(signal.SIGSTOP)", "pass"),), ("does_nothing_before_it_is_asked",)),
    Mutation("stopped after the answer", (Edit("launch.BotProcess._finish", "self.stop()", "pass"),), ("does_not_ponder",)),
    Mutation("killed at the end + --die-with-parent", (Edit("confined.Confined.close", "self.signal(signal.SIGKILL)", "pass"), Edit("confined._KILL_S", "", 0.2), _without('"--die-with-parent", ')), ("sleeps",)),
    Mutation("CPU clock", (Edit("launch.BotProcess._late", "self._used_ms() >= question.cpu_ms", "False"),), ("spins",)),
    Mutation("CPU clock, also of an answer that came", (Edit("launch.BotProcess._late", "self._used_ms() >= question.cpu_ms", "False"), Edit("launch.BotProcess._finish", "used > question.cpu_ms", "False")), ("loses_by_a_late_answer",)),
    Mutation("wall cap", (Edit("launch.BotProcess._late", "question.wall_used_ms() >= question.wall_ms", "False"),), ("sleeps",)),
    Mutation("one line per answer", (Edit("launch.BotProcess._finish", "fault is None and self._pipes.unread", "False"),), ("two_lines",)),
    Mutation("no output before the question", (Edit("launch.BotProcess.ask", "fault is None and self._pipes.unread", "False"),), ("takes_no_answer_from_before_the_question",)),
    Mutation("line cap", (Edit("pipes.LINE_BYTES", "", 1 << 40),), ("long_line",)),
    Mutation("unread cap", (Edit("pipes.UNREAD_BYTES", "", 1 << 40),), ("keeps_little_of_what_is_unread",)),
    Mutation("stderr cap", (Edit("pipes.STDERR_BYTES", "", 1 << 40),), ("floods_stderr",)),
    Mutation("the end of stderr is kept, not all", (Edit("pipes.STDERR_KEPT_BYTES", "", 1 << 40),), ("floods_stderr",)),
    Mutation("pipes that never block", (Edit("pipes.Pipes.__init__", "os.set_blocking(descriptor, False)", "pass"),), ("deaf",)),
]  # fmt: skip

MUTATIONS = {
    mutation.name: mutation for mutation in [*NAMESPACES, *TREE, *FILTER, *LIMITS, *WORKER]
}
