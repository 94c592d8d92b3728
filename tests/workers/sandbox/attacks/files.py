"""Attacks on files: reading what is not the bot's, writing anywhere, filling the host's memory."""

from __future__ import annotations

import dataclasses

from tests.workers.sandbox.attacks.attack import Attack, scripts, tries

_READS = {
    "reads_passwd": "open('/etc/passwd').read()",
    "lists_var": "os.listdir('/var')",
    "lists_processes": "os.listdir('/proc')",
    "lists_the_kernel": "os.listdir('/sys')",
    "opens_a_random_device": "open('/dev/random', 'rb')",
}
# Closed to ordinary users too: what a root worker would open to its bots.
_PRIVILEGED_READS = {
    "reads_shadow": "open('/etc/shadow').read()",
    "lists_homes": "os.listdir('/home')",
    "lists_root_home": "os.listdir('/root')",
    "opens_kvm": "open('/dev/kvm')",
    "opens_a_disk": "open('/dev/vda', 'rb')",
    "opens_the_terminal": "open('/dev/tty')",
}
_WRITES = {
    "writes_its_folder": "open('/bot/x', 'w')",
    "writes_its_program": "open('/bot/main.py', 'a')",
    "writes_the_sdk": "open('/botenv/bots/__init__.py', 'a')",
    "writes_the_root": "open('/x', 'w')",
    "writes_tmp": "open('/tmp/x', 'w')",
    "writes_devices": "open('/dev/x', 'w')",
    "writes_the_system": "open('/usr/x', 'w')",
    "makes_a_cgroup": "os.mkdir('/sys/fs/cgroup/x')",
    "replaces_a_device": "os.rename('/dev/null', '/dev/x')",
    "links_its_program": "os.link('/bot/main.py', '/tmp/x')",
}
# 64 MiB tell as much as 1 GiB: there is no place for the first byte.
_FILL = """
os.makedirs('{folder}', exist_ok=True)
for number in range(64):
    with open(f'{folder}/fill-{{number}}', 'wb') as file: file.write(bytes(1 << 20))
print('OK', '{folder}', flush=True)
"""
_FILLED = {
    "fills_its_folder": "/bot",
    "fills_tmp": "/tmp",
    "fills_shared_memory": "/dev/shm",
    "fills_devices": "/dev",
    "fills_the_root": "/",
}
_SCRIPTS = {
    "makes_many_files": """
for number in range(20000): open(f'/tmp/{number}', 'x').close()
print('OK', flush=True)
""",
    "finds_a_writable_mount": """
places = ['/', '/usr', '/bin', '/lib', '/etc', '/tmp', '/dev', '/bot', '/botenv']
open_to = [p for p in places if not os.statvfs(p).f_flag & os.ST_RDONLY]
print('OK' if open_to else 'NO', *open_to, flush=True)
""",
}
_SET_UID = """
import os
print('NO' if os.geteuid() == os.getuid() else 'OK', os.getuid(), os.geteuid(), flush=True)
os.read(0, 1)
"""
_BECOMES = f"""
try: os.execv('./python', ['python', '-I', '-c', '''{_SET_UID}'''])
except OSError as error: print('NO', error, flush=True)
"""

ATTACKS = [
    *tries(_READS, bare=True),
    *tries({**_PRIVILEGED_READS, **_WRITES}),
    *scripts({name: _FILL.format(folder=folder) for name, folder in _FILLED.items()}),
    *scripts(_SCRIPTS),
    dataclasses.replace(Attack("becomes_root_by_a_set_uid_file", _BECOMES), plants=True),
]
