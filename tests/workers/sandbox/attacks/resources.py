"""Attacks on the host's memory and tables; `v['memory']` is the limit of the bot in bytes."""

from __future__ import annotations

import dataclasses

from tests.workers.sandbox.attacks.attack import BLOCKED, Attack, Expected, scripts, tries

_HELD = """
def hold(size):
    area = mmap.mmap(-1, size)
    for page in range(0, size, 4096): area[page] = 1
    return area
"""
# Four times the limit: 2 GiB of the usual half.
_BOMB = f"""{_HELD}
held = []
try:
    while len(held) < 32: held.append(hold(v['memory'] // 8))
except (OSError, MemoryError): pass
count = len(held); del held
print('NO' if count <= 8 else 'OK', count, flush=True)
"""
_BOMB_OF_MANY = f"""{_HELD}
children, part = 0, v['memory'] * 3 // 5
for _ in range(5):
    if os.fork() == 0: hold(part); os.write(1, b''); time.sleep(1); os._exit(0)
    children += 1
time.sleep(.5)
print('OK', children, flush=True)
"""
_MEMORY_FILE = """
file, size = os.memfd_create('x'), v['memory'] * 2
os.ftruncate(file, size)
for _ in range(0, size, 1 << 20): os.write(file, bytes(1 << 20))
print('OK', size, flush=True)
"""
_FORK_BOMB = """
count = 0
try:
    while count < 400:
        if os.fork() == 0: time.sleep(60); os._exit(0)
        count += 1
except OSError: pass
print('OK' if count else 'NO', count, flush=True)
"""
# Small stacks and one heap: the address space is not what bounds them.
_THREAD_BOMB = """
libc.mallopt(-8, 1); threading.stack_size(65536)
event, count = threading.Event(), 1
try:
    while count < 400: threading.Thread(target=event.wait, daemon=True).start(); count += 1
except (RuntimeError, MemoryError): pass
print('NO' if count <= 32 else 'OK', count, flush=True)
"""
_PROCESSES = {
    "leaves_a_daemon": "subprocess.Popen(['/bin/sleep', '60'], start_new_session=True)",
    "runs_a_shell": "subprocess.run(['/bin/sh', '-c', 'id'], check=True)",
    "forks": "os.fork() or os._exit(0)",
}
_HOARDS = {
    "opens_many_files": "[os.dup(0) for _ in range(100)]",
    "dumps_its_memory": "1 // resource.getrlimit(resource.RLIMIT_CORE)[1]",
}
_SCRIPTS = {
    "fork_bomb": _FORK_BOMB,
    "memory_of_many": _BOMB_OF_MANY,
    "memory_in_a_file": _MEMORY_FILE,
    "hoards_timers": """
timer, count = ctypes.c_int(), 0
while count < 1000 and libc.syscall(222, 1, None, ctypes.byref(timer)) == 0: count += 1
print('NO' if count <= 64 else 'OK', count, flush=True)
""",
    "leaves_shared_memory": """
made = libc.shmget(v['key'] + 1, 4096, 0o1666)
print('NO' if made < 0 else 'OK', made, flush=True)
""",
}

MEMORY_BOMB = Attack("memory_bomb", _BOMB, BLOCKED, light=False)
MEMORY_BOMB_KILLED = dataclasses.replace(
    MEMORY_BOMB, expected=Expected(ending="crash", detail="out of memory")
)
ATTACKS = [
    *tries(_PROCESSES),
    *tries(_HOARDS),
    *scripts(_SCRIPTS, light=False),
    Attack("thread_bomb", _THREAD_BOMB, light=False),
    MEMORY_BOMB,
]
