"""The attacks, as data: what a bot tries and how it must end; run without any test library."""

from __future__ import annotations

from tests.workers.sandbox.hostile import Attack, Expected

_BLOCKED = Expected(line="NO")
_TRY = """
try: print('OK', {expression}, flush=True)
except BaseException as error: print('NO', type(error).__name__, error, flush=True)
"""
_EXPRESSIONS = {
    "reads_passwd": "open('/etc/passwd').read()",
    "reads_shadow": "open('/etc/shadow').read()",
    "lists_homes": "os.listdir('/home')",
    "lists_root_home": "os.listdir('/root')",
    "lists_var": "os.listdir('/var')",
    "reads_the_kernel": "os.listdir('/proc'), os.listdir('/sys')",
    "opens_kvm": "open('/dev/kvm')",
    "opens_a_disk": "open('/dev/vda', 'rb')",
    "opens_the_terminal": "open('/dev/tty')",
    "makes_an_internet_socket": "socket.socket()",
    "makes_a_datagram_socket": "socket.socket(type=socket.SOCK_DGRAM)",
    "makes_a_unix_socket": "socket.socket(socket.AF_UNIX)",
    "makes_a_netlink_socket": "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)",
    "forks": "os.fork()",
    "leaves_a_daemon": "subprocess.Popen(['/bin/sleep', '60'], start_new_session=True)",
    "runs_a_shell": "subprocess.run(['/bin/sh', '-c', 'id'], check=True)",
    "writes_its_folder": "open('/bot/x', 'w')",
    "writes_the_root": "open('/x', 'w')",
    "writes_tmp": "open('/tmp/x', 'w')",
    "writes_devices": "open('/dev/x', 'w')",
    "writes_shared_memory": "open('/dev/shm/x', 'w')",
    "writes_the_system": "open('/usr/x', 'w')",
    "writes_the_sdk": "open('/botenv/bots/__init__.py', 'a')",
    "writes_its_program": "open('/bot/main.py', 'a')",
    "makes_many_folders": "[os.mkdir(f'/tmp/{n}') for n in range(20000)]",
    "keeps_a_memory_file": "os.memfd_create('x')",
    "makes_a_cgroup": "os.mkdir('/sys/fs/cgroup/x')",
    "makes_a_device": "os.mknod('/tmp/x')",
    "becomes_root": "os.setuid(0)",
    "becomes_more_important": "os.setpriority(0, 0, -5)",
    "raises_its_threads": "resource.setrlimit(resource.RLIMIT_NPROC, (1000, 1000))",
    "raises_its_files": "resource.setrlimit(resource.RLIMIT_NOFILE, (1000, 1000))",
    "reads_the_environment_of_others": "open('/proc/1/environ').read()",
    "opens_many_files": "[os.dup(0) for _ in range(100)]",
}
_CALLS = {
    "ptrace": "ptrace(0, 0, 0, 0)",
    "mount": "mount(b'none', b'/tmp', b'tmpfs', 0, None)",
    "new_user_namespace": "unshare(0x10000000)",
    "new_network_namespace": "unshare(0x40000000)",
    "clone_a_process": "syscall(56, 17, 0, 0, 0, 0)",
    "clone3": "syscall(435, 0, 0)",
    "vfork_by_clone_in_a_namespace": "syscall(56, 0x10010000, 0, 0, 0, 0)",
    "chroot": "chroot(b'/')",
    "io_uring": "syscall(425, 4, ctypes.create_string_buffer(120))",
    "bpf": "syscall(321, 0, 0, 0)",
    "userfaultfd": "syscall(323, 1)",
    "keyctl": "syscall(250, 0, -3, 1)",
    "shared_memory": "shmget(7, 4096, 0o1666)",
    "outliving_the_worker": "prctl(1, 0, 0, 0, 0)",
    "large_pipes": "fcntl(1, 1031, 1 << 20)",
    "large_pipes_by_high_bits": "syscall(72, 1, 0x100000407, 1 << 20)",
    "typing_into_a_terminal": "ioctl(0, 0x5412, b'x')",
    "read_foreign_memory": "syscall(310, 1, 0, 0, 0, 0, 0)",
    "pidfd_open": "syscall(434, 1, 0)",
    "execveat": "syscall(322, -1, b'/bin/true', 0, 0, 0)",
}
_CALL = """
result, number = libc.{call}, ctypes.get_errno()
print('NO' if result == -1 and number in (1, 38) else 'OK', result, number, flush=True)
"""

_THREADS = """
event, n = threading.Event(), 0
try:
    while n < 500: threading.Thread(target=event.wait, daemon=True).start(); n += 1
except (RuntimeError, MemoryError): pass
print('NO' if n < 40 else 'OK', n, flush=True)
"""
_MEMORY = """
held = []
try:
    while len(held) < 16:
        held.append(mmap.mmap(-1, 64 << 20))
        for page in range(0, 64 << 20, 4096): held[-1][page] = 1
except (OSError, MemoryError): held = held[:8]
print('NO' if len(held) <= 8 else 'OK', len(held), flush=True)
os._exit(0)
"""
_SPIN_IN_THREADS = """
def spin():
    while True: pass
for _ in range(4): threading.Thread(target=spin).start()
"""


def _cpu_timeout() -> Expected:
    return Expected(ending="timeout", detail="CPU time")


def _wall_timeout() -> Expected:
    return Expected(ending="timeout", detail="wall time", wall=True)


def _crash(detail: str) -> Expected:
    return Expected(ending="crash", detail=detail)


def _illegal(detail: str) -> Expected:
    return Expected(ending="illegal_action", detail=detail)


_BLOCKED_ATTACKS = [
    *(Attack(name, _TRY.format(expression=e), _BLOCKED) for name, e in _EXPRESSIONS.items()),
    *(Attack(name, _CALL.format(call=c), _BLOCKED) for name, c in _CALLS.items()),
    Attack("thread_bomb", _THREADS, _BLOCKED),
]

_SLEEP = "time.sleep(99)\n"
_FAULTS = [
    Attack("spins", "while True: pass\n", _cpu_timeout(), cpu_ms=200),
    Attack("spins_in_threads", _SPIN_IN_THREADS, _cpu_timeout(), cpu_ms=200),
    Attack("spins_at_start", "while True: pass\n", _cpu_timeout(), cpu_ms=200, deaf=True),
    Attack("sleeps", _SLEEP, _wall_timeout(), wall_ms=400),
    Attack("deaf", _SLEEP, _wall_timeout(), wall_ms=400, deaf=True, question=b"x" * 1_000_000),
    Attack("closes_stdout", "os.close(1)\n" + _SLEEP, _wall_timeout(), wall_ms=400),
    Attack("answers_half", "os.write(1, b'half')\n" + _SLEEP, _wall_timeout(), wall_ms=400),
    Attack("stops_itself", "os.kill(1, 19); time.sleep(99)\n", _wall_timeout(), wall_ms=400),
    Attack("exits", "os._exit(3)\n", _crash("exit code 3")),
    Attack("ends_quietly", "pass\n", _crash("exit code 0")),
    Attack("raises", "raise SystemError('x')\n", _crash("exit code 1")),
    Attack("segfaults", "ctypes.string_at(0)\n", _crash("SIGSEGV")),
    Attack("floods_stdout", "while True: os.write(1, b'x' * 65536)\n", _illegal("65536 bytes")),
    Attack("floods_lines", "while True: os.write(1, b'x\\n' * 9999)\n", _illegal("second line")),
    Attack("floods_stderr", "while True: os.write(2, b'x' * 65536)\n", _crash("stderr")),
    Attack("two_lines", "os.write(1, b'a\\nb\\n')\n" + _SLEEP, _illegal("second line")),
    Attack("line_and_a_half", "os.write(1, b'a\\nb')\n" + _SLEEP, _illegal("second line")),
    Attack("long_line", "os.write(1, b'x' * 65537 + b'\\n')\n" + _SLEEP, _illegal("65536 bytes")),
]

ATTACKS = {attack.name: attack for attack in [*_BLOCKED_ATTACKS, *_FAULTS]}
MEMORY_BOMB = Attack("memory_bomb", _MEMORY, _BLOCKED)
MEMORY_BOMB_KILLED = Attack("memory_bomb", _MEMORY, _crash("out of memory"))
