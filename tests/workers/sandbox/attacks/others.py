"""Attacks on others: the victim's secrets, sockets, memory and time, and those of the worker."""

from __future__ import annotations

from tests.workers.sandbox.attacks.attack import calls, scripts, tries

_VISIT = "c = socket.socket({kind}); c.settimeout(2); c.connect({where})\n"
_RECEIVED = "print('OK', c.recv(99).decode(), flush=True)"

_SECRETS = {
    "reads_a_private_file": "open(v['private']).read()",
    "reads_a_public_file": "open(v['public']).read()",
    "reads_through_anothers_root": "open(f\"/proc/{v['pid']}/root{v['private']}\").read()",
    "reads_its_environment": "[t for t in os.environ.values() if v['mark'] in t][0]",
}
_SEARCHES = {
    "reads_every_environment": """
for pid in filter(str.isdigit, os.listdir('/proc')):
    try: text = open(f'/proc/{pid}/environ').read()
    except OSError: continue
    if v['mark'] in text: print('OK', text[text.index(v['mark']):][:48], flush=True); break
else: print('NO', flush=True)
""",
    "reads_leaked_descriptors": """
for number in range(3, 64):
    try: text = os.pread(number, 99, 0).decode()
    except OSError: continue
    if v['mark'] in text: print('OK', text, flush=True); break
else: print('NO', flush=True)
""",
}
_PROCESSES = {
    "sees_another": "os.getpgid(v['pid'])",
    "finds_another_by_signal": "os.kill(v['pid'], 0)",
    "signals_another": "os.kill(v['pid'], signal.SIGUSR1)",
    "signals_everybody": "os.kill(-1, signal.SIGURG)",
    "makes_another_nice": "os.setpriority(os.PRIO_PROCESS, v['pid'], 10)",
    "reads_anothers_clock": "time.clock_gettime_ns((~v['pid'] << 3) | 2)",
    "moves_another_to_a_processor": "os.sched_setaffinity(v['pid'], {0})",
    "changes_its_priority": "os.setpriority(os.PRIO_PROCESS, 0, 5)",
    "limits_another": "resource.prlimit(v['pid'], resource.RLIMIT_NOFILE, (50, 50))",
}
_NETWORK = {
    "connects_by_tcp": _VISIT.format(kind="", where="('127.0.0.1', v['tcp'])") + _RECEIVED,
    "asks_by_udp": _VISIT.format(
        kind="socket.AF_INET, socket.SOCK_DGRAM", where="('127.0.0.1', v['udp'])"
    )
    + "c.send(b'?')\n"
    + _RECEIVED,
    "connects_to_an_abstract_socket": _VISIT.format(kind="socket.AF_UNIX", where="v['abstract']")
    + _RECEIVED,
    "connects_to_a_socket_file": _VISIT.format(kind="socket.AF_UNIX", where="v['socket']")
    + _RECEIVED,
}
_MEMORY = {
    "reads_anothers_memory_file": """
with open(f"/proc/{v['pid']}/mem", 'rb') as memory:
    memory.seek(v['address'])
    print('OK', memory.read(v['length']).decode(), flush=True)
""",
    "reads_anothers_memory": """
class Part(ctypes.Structure): _fields_ = [('at', ctypes.c_void_p), ('size', ctypes.c_size_t)]
found = ctypes.create_string_buffer(v['length'])
here, there = Part(ctypes.addressof(found), v['length']), Part(v['address'], v['length'])
read = libc.process_vm_readv(v['pid'], ctypes.byref(here), 1, ctypes.byref(there), 1, 0)
print('OK' if read > 0 else 'NO', found.value.decode(), flush=True)
""",
    "reads_its_memory_by_a_call": """
found = ctypes.create_string_buffer(8)
part = struct.pack('QQ', ctypes.addressof(found), 8)
read = libc.process_vm_readv(os.getpid(), part, 1, part, 1, 0)
print('OK' if read > 0 else 'NO', flush=True)
""",
    "reads_shared_memory": """
libc.shmat.restype = ctypes.c_void_p
address = libc.shmat(libc.shmget(v['key'], 0, 0), None, 0o10000)
if address == 2 ** 64 - 1: raise OSError(ctypes.get_errno())
print('OK', ctypes.string_at(address).decode(), flush=True)
""",
    "traces_another": """
result = libc.ptrace(0x4206, v['pid'], 0, 0)
print('NO' if result else 'OK', result, ctypes.get_errno(), flush=True)
""",
    "takes_anothers_descriptor": """
handle = libc.syscall(434, v['pid'], 0)
taken = libc.syscall(438, handle, 0, 0)
print('NO' if taken < 0 else 'OK', handle, taken, flush=True)
""",
}
# What one process of an author could tell another of his, in this match or another.
_SIGNS = {
    "leaves_a_locked_range": "fcntl.lockf(open('/usr/bin/env', 'rb'), fcntl.LOCK_SH | 4, 1, 7)",
    "leaves_a_lock_of_an_open_file": "fcntl.fcntl(open('/usr/bin/env', 'rb'), 37, "
    "struct.pack('hhqqi4x', fcntl.F_RDLCK, 0, 7, 1, 0))",
    "leaves_a_locked_file": "fcntl.flock(open('/usr/bin/env', 'rb'), fcntl.LOCK_SH | 4)",
    # Read first: a page that is not there is told by the same error as a refused question.
    "asks_whether_a_page_is_cached": "[os.preadv(f, [bytearray(1)], 0, os.RWF_NOWAIT) for f in "
    "[os.open('/usr/bin/env', 0)] if os.read(f, 1)]",
    "reads_the_hosts_name": "{v['host']: 1}[os.uname().nodename]",
}
_SIGN_CALLS = {
    "drops_cached_pages": "syscall(221, os.open('/usr/bin/env', 0), 0, 0, 4)",
    "caches_pages": "syscall(187, os.open('/usr/bin/env', 0), 0, 4096)",
    "asks_which_pages_are_there": "syscall(27, 0, 0, 0)",
}
_SIGN_SCRIPTS = {
    "leaves_a_file_for_another": """
for folder in ('/tmp', '/var/tmp', '/dev/shm', '/run', '/run/lock', '/dev', '/usr/lib', '/'):
    path = os.path.join(folder, 'interrex-covert')
    try: open(path, 'x').close(); os.unlink(path); print('OK', path, flush=True); break
    except OSError: pass
else: print('NO', flush=True)
""",
}
# PID 1 of its own namespace is deaf to its own signals; whoever else is in its group is not.
_GROUP = """
os.kill(0, signal.{number})
time.sleep(0.1)
print('NO', flush=True)
"""

ATTACKS = [
    *tries({**_SECRETS, **_PROCESSES, **_SIGNS}, bare=True),
    *scripts({**_SEARCHES, **_NETWORK, **_MEMORY, **_SIGN_SCRIPTS}, bare=True),
    *calls(_SIGN_CALLS, bare=True),
    *scripts(
        {
            "signals_its_group": _GROUP.format(number="SIGURG"),
            "kills_its_group": _GROUP.format(number="SIGKILL"),
        }
    ),
]
