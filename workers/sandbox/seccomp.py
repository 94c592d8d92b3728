"""The system calls a bot may make, as a BPF program built by libseccomp.

Allow-list: what is not named returns ENOSYS, so that libraries fall back; well-known privileged
calls return EPERM. Threads may be made, child processes may not: then a kill, a SIGSTOP and the CPU
clock of the one process cover everything the bot has.
"""

from __future__ import annotations

import ctypes
import errno
import os
from functools import lru_cache

from workers.sandbox.faults import SandboxRefused

LIBRARY = "libseccomp.so.2"

_ALLOWED = """
read write readv writev pread64 pwrite64 preadv pwritev open openat openat2 creat
close close_range lseek stat fstat lstat newfstatat statx access faccessat faccessat2 readlink
readlinkat getdents getdents64 getcwd chdir fchdir rename renameat renameat2 mkdir mkdirat rmdir
unlink unlinkat symlink symlinkat link linkat chmod fchmod fchmodat fsync fdatasync ftruncate
truncate fallocate dup dup2 dup3 pipe pipe2 umask utime utimes
utimensat futimesat statfs fstatfs sendfile copy_file_range poll ppoll select pselect6
epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2 eventfd eventfd2
timerfd_create timerfd_settime timerfd_gettime signalfd signalfd4 mmap munmap mprotect mremap
madvise msync brk membarrier get_mempolicy pkey_alloc pkey_free pkey_mprotect execve exit
exit_group wait4 waitid kill tgkill tkill getpid gettid getppid getuid geteuid getgid getegid
getresuid getresgid getgroups getpgrp getpgid setpgid getsid setsid capget arch_prctl
set_tid_address set_robust_list get_robust_list rseq futex futex_waitv sched_yield
sched_getaffinity sched_setaffinity sched_getparam sched_getscheduler sched_get_priority_max
sched_get_priority_min sched_rr_get_interval getpriority getrlimit setrlimit prlimit64 getrusage
times sysinfo uname nanosleep clock_nanosleep clock_gettime clock_getres gettimeofday time
getitimer setitimer alarm timer_create timer_settime timer_gettime timer_getoverrun timer_delete
pause rt_sigaction rt_sigprocmask rt_sigreturn rt_sigsuspend rt_sigtimedwait rt_sigpending
rt_sigqueueinfo rt_tgsigqueueinfo sigaltstack restart_syscall getrandom getcpu socketpair sendto
recvfrom sendmsg recvmsg sendmmsg recvmmsg shutdown getsockopt setsockopt getsockname getpeername
"""

_DENIED = """
socket connect bind listen accept accept4 ptrace process_vm_readv process_vm_writev bpf
perf_event_open userfaultfd io_uring_setup io_uring_enter io_uring_register keyctl add_key
request_key mount umount2 pivot_root chroot move_mount open_tree fsopen fsconfig fsmount fspick
mount_setattr setns unshare kexec_load init_module finit_module delete_module reboot swapon swapoff
syslog acct quotactl iopl ioperm name_to_handle_at open_by_handle_at personality setpriority
sched_setscheduler sched_setparam sched_setattr ioprio_set mbind set_mempolicy migrate_pages
move_pages shmget shmat shmctl semget semop semctl msgget msgsnd msgrcv msgctl mq_open mlock mlock2
mlockall memfd_create memfd_secret pidfd_open pidfd_getfd pidfd_send_signal kcmp vmsplice splice
tee fanotify_init inotify_init inotify_init1 setuid setgid setreuid setregid setresuid setresgid
setgroups capset chown fchown lchown fchownat mknod mknodat setdomainname sethostname settimeofday
clock_settime clock_adjtime adjtimex execveat fork vfork
flock preadv2 pwritev2 fadvise64 readahead mincore
"""
# The last line and the locks of fcntl: on a file that all bots see, one process could leave a word
# there for another of the same author, which plays the same deal from the other seat.

# PR_GET_*, PR_SET_NAME, PR_SET_NO_NEW_PRIVS, PR_SET_VMA; never PR_SET_PDEATHSIG (1), by which a bot
# could outlive its worker.
_PRCTL = (3, 15, 16, 21, 23, 38, 39, 0x53564D41)
# TCGETS TIOCGWINSZ FIONREAD FIONBIO FIONCLEX FIOCLEX FIOASYNC
_IOCTL = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451, 0x5452)
# F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC, F_GETPIPE_SZ. Not F_SETPIPE_SZ (pipe
# pages are counted per user), F_SETOWN, F_SETSIG.
_FCNTL = (0, 1, 2, 3, 4, 1030, 1032)
_CLONE_THREAD = 0x10000
_CLONE_NAMESPACES = 0x7E020000

_ACT_ALLOW = 0x7FFF0000
_ACT_ERRNO = 0x00050000
_EQUAL, _MASKED_EQUAL = 4, 7
_LOW_32 = 0xFFFFFFFF
_OPTIMIZE, _BINARY_TREE = 8, 2


class _Compare(ctypes.Structure):
    _fields_ = (
        ("argument", ctypes.c_uint),
        ("operator", ctypes.c_int),
        ("first", ctypes.c_uint64),
        ("second", ctypes.c_uint64),
    )


def _load(library: str) -> ctypes.CDLL:
    try:
        loaded = ctypes.CDLL(library, use_errno=True)
    except OSError as error:
        raise SandboxRefused(
            f"{library} is missing ({error}); install it, for example: apt-get install libseccomp2"
        ) from error
    pointer, number = ctypes.c_void_p, ctypes.c_uint32
    loaded.seccomp_init.restype = pointer
    loaded.seccomp_init.argtypes = [number]
    loaded.seccomp_rule_add_array.argtypes = [pointer, number, ctypes.c_int, ctypes.c_uint, pointer]
    loaded.seccomp_export_bpf.argtypes = [pointer, ctypes.c_int]
    loaded.seccomp_attr_set.argtypes = [pointer, ctypes.c_int, number]
    loaded.seccomp_release.argtypes = [pointer]
    return loaded


class _Filter:
    """One filter under construction."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self._library = library
        self._context = library.seccomp_init(_ACT_ERRNO | errno.ENOSYS)
        library.seccomp_attr_set(self._context, _OPTIMIZE, _BINARY_TREE)

    def rule(self, action: int, call: str, *compares: _Compare) -> None:
        """Add a rule; a call this machine does not have keeps the default, ENOSYS."""
        number = self._library.seccomp_syscall_resolve_name(call.encode())
        if number < 0:
            return
        array = (_Compare * len(compares))(*compares) if compares else None
        code = self._library.seccomp_rule_add_array(
            self._context, action, number, len(compares), array
        )
        if code:
            raise SandboxRefused(f"libseccomp refused the rule for {call}: {os.strerror(-code)}")

    def program(self) -> bytes:
        """The finished BPF program; the filter is freed."""
        descriptor = os.memfd_create("seccomp")
        try:
            code = self._library.seccomp_export_bpf(self._context, descriptor)
            if code:
                raise SandboxRefused(f"libseccomp cannot export a filter: {os.strerror(-code)}")
            return os.pread(descriptor, 1 << 20, 0)
        finally:
            os.close(descriptor)
            self._library.seccomp_release(self._context)


@lru_cache(maxsize=1)
def program(library: str = LIBRARY) -> bytes:
    """The BPF program of every bot, for `bwrap --seccomp`; raises SandboxRefused."""
    rules = _Filter(_load(library))
    denied = _ACT_ERRNO | errno.EPERM
    for call in _ALLOWED.split():
        rules.rule(_ACT_ALLOW, call)
    for call in _DENIED.split():
        rules.rule(denied, call)
    for option in _PRCTL:
        rules.rule(_ACT_ALLOW, "prctl", _Compare(0, _EQUAL, option, 0))
    for request in _IOCTL:
        rules.rule(_ACT_ALLOW, "ioctl", _Compare(1, _MASKED_EQUAL, _LOW_32, request))
    for command in _FCNTL:
        rules.rule(_ACT_ALLOW, "fcntl", _Compare(1, _MASKED_EQUAL, _LOW_32, command))
    thread_only = _CLONE_THREAD | _CLONE_NAMESPACES
    rules.rule(_ACT_ALLOW, "clone", _Compare(0, _MASKED_EQUAL, thread_only, _CLONE_THREAD))
    rules.rule(denied, "clone", _Compare(0, _MASKED_EQUAL, _CLONE_THREAD, 0))
    return rules.program()
