"""Attacks on the kernel: calls that a bot has no use for, well formed, and what it may become."""

from __future__ import annotations

from tests.workers.sandbox.attacks.attack import Attack, Expected, calls, scripts, tries

_PERF = """
attributes = struct.pack('II5Q', 1, 120, 0, 0, 0, 0, 0x60).ljust(120, b'\\0')
opened = libc.syscall(298, attributes, 0, -1, -1, 0)
print('NO' if opened < 0 else 'OK', opened, ctypes.get_errno(), flush=True)
"""
_CAPABILITIES = """
header, sets = struct.pack('Ii', 0x20080522, 0), ctypes.create_string_buffer(24)
libc.syscall(125, header, sets)
print('OK' if any(sets.raw) else 'NO', sets.raw.hex(), flush=True)
"""
# Machine code: i386 getpid through the door of 32-bit programs, and x86-64 getpid as x32 has it.
_MACHINE_CODE = """
page = mmap.mmap(-1, 4096, prot=7)
page.write(bytes.fromhex('{code}'))
run = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
print('OK', run(), flush=True)
"""
_DEAD = Expected(ending="crash", detail="SIGSYS")

# An ordinary user may do these.
_OPEN_TO_ALL = {
    "asks_to_be_traced": "ptrace(0, 0, 0, 0)",
    "keyring": "syscall(250, 0, -3, 1)",
    "adds_a_key": "syscall(248, b'user', b'x', b'x', 1, -2)",
    "userfaultfd": "syscall(323, 1)",
    "memory_file": "syscall(319, b'x', 0)",
    "pidfd_of_itself": "syscall(434, os.getpid(), 0)",
    "watches_files": "syscall(294, 0)",
    "no_address_randomization": "personality(0x0040000)",
    "outliving_the_worker": "prctl(1, 0, 0, 0, 0)",
    "its_own_filter": "prctl(22, 1, 0, 0, 0)",
    "large_pipes": "fcntl(os.pipe()[0], 1031, 1 << 20)",
    "large_pipes_by_high_bits": "syscall(72, os.pipe()[0], 0x100000407, 1 << 20)",
    "signals_of_a_pipe": "fcntl(os.pipe()[0], 8, os.getpid())",
    "gives_pages_to_a_pipe": "vmsplice(os.pipe()[1], ctypes.create_string_buffer(16), 0, 0)",
    "execveat": "syscall(322, -1, b'/bin/true', 0, 0, 0)",
    "clone3": "syscall(435, ctypes.create_string_buffer(88), 88)",
    "clone_a_process": "syscall(56, 17, 0, 0, 0, 0)",
    "locks_memory": "mlock(ctypes.create_string_buffer(16), 16)",
    "fallback_scheduling": "sched_setscheduler(0, 5, ctypes.create_string_buffer(4))",
    "idles_its_disk_accesses": "syscall(251, 1, 0, 3 << 13)",
    "moves_its_memory": "syscall(238, 0, 0, 0)",
}
# An ordinary user may do these too, but they leave something or a machine may forbid them.
_OPEN_TO_MANY = {
    "message_queue": "msgget(v['key'] + 1, 0o1666)",
    "semaphores": "semget(v['key'] + 1, 1, 0o1666)",
    "posix_queue": "syscall(240, b'interrex', 0o100 | 2, 0o600, 0)",
    "makes_a_user_namespace": "unshare(0x10000000)",
    "io_uring": "syscall(425, 4, ctypes.create_string_buffer(120))",
}
# Root's calls, which the kernel refuses to a bot's user as well.
_OPEN_TO_ROOT = {
    "mounts": "mount(b'none', b'/tmp', b'tmpfs', 0, None)",
    "unmounts": "umount2(b'/usr', 2)",
    "makes_a_network_namespace": "unshare(0x40000000)",
    "clones_into_a_namespace": "syscall(56, 0x10010000, 0, 0, 0, 0)",
    "chroot": "chroot(b'/')",
    "joins_a_namespace": "setns(0, 0)",
    "bpf": "syscall(321, 0, ctypes.create_string_buffer(72), 72)",
    "reads_the_kernels_log": "klogctl(3, ctypes.create_string_buffer(999), 999)",
    "loads_a_module": "syscall(313, 0, b'', 0)",
    "loads_a_kernel": "syscall(246, 0, 0, 0, 0)",
    "reboots": "syscall(169, 0, 0, 0, 0)",
    "sets_the_clock": "settimeofday(None, ctypes.create_string_buffer(8))",
    "sets_the_hosts_name": "sethostname(b'x', 1)",
    "opens_by_handle": "syscall(304, -100, ctypes.create_string_buffer(32), 0)",
    "types_into_a_terminal": "ioctl(0, 0x5412, b'x')",
    "makes_a_device": "mknod(b'/tmp/x', 0o20600, 0x103)",
    "gives_a_file_away": "chown(b'/bot/main.py', 0, 0)",
    "takes_all_capabilities": "capset(struct.pack('Ii', 0x20080522, 0), b'\\xff' * 24)",
    "becomes_root": "syscall(105, 0)",
    "becomes_roots_group": "syscall(106, 0)",
    "joins_groups": "setgroups(1, ctypes.create_string_buffer(4))",
}
_SOCKETS = {
    "makes_an_internet_socket": "socket.socket()",
    "makes_a_datagram_socket": "socket.socket(type=socket.SOCK_DGRAM)",
    "makes_a_unix_socket": "socket.socket(socket.AF_UNIX)",
    "makes_a_netlink_socket": "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)",
}
_RAISES = {
    "raises_its_threads": "resource.setrlimit(resource.RLIMIT_NPROC, (2000, 1 << 20))",
    "raises_its_files": "resource.setrlimit(resource.RLIMIT_NOFILE, (1000, 1 << 20))",
    "becomes_more_important": "os.setpriority(0, 0, -5)",
}
_STATES = {
    "keeps_capabilities": _CAPABILITIES,
    "is_root": "print('OK' if 0 in (os.getuid(), os.geteuid()) else 'NO', flush=True)",
    "is_anybody_but_nobody": "print('OK' if {*os.getresuid(), *os.getresgid()} != {65534} else "
    "'NO', os.getresuid(), os.getresgid(), flush=True)",
    "can_gain_privileges": "print('NO' if libc.prctl(39, 0, 0, 0, 0) == 1 else 'OK', flush=True)",
    "is_not_filtered": "print('NO' if libc.prctl(21, 0, 0, 0, 0) == 2 else 'OK', flush=True)",
}

ATTACKS = [
    *calls(_OPEN_TO_ALL, bare=True),
    *calls({**_OPEN_TO_MANY, **_OPEN_TO_ROOT}),
    *tries(_SOCKETS, bare=True),
    *tries(_RAISES),
    *scripts(_STATES),
    Attack("measures_the_kernel", _PERF),
    Attack("calls_as_32_bit", _MACHINE_CODE.format(code="b814000000cd80c3"), _DEAD),
    Attack("calls_as_x32", _MACHINE_CODE.format(code="b8270000400f05c3"), _DEAD),
]
