"""The interpreter that members are forked from is a copy that no process can read. Every process may open the file that
it executes (/proc/self/exe), wherever it lies and whatever is mounted: as the system's own Python it could be watched
and locked there, and as a Python that belongs to the caller it could be changed.

One that serves a single run is started from the system's Python, as a second start costs too much there, unless it
is the caller's."""

from __future__ import annotations

import os
import sys

AGAIN = "again"


def enter(directory: str, hasty: bool) -> None:
    """Starts this program once more, from a copy in memory; `directory` is any empty one. Returns in the second start,
    and where none is needed."""
    if sys.argv[-1] == AGAIN:
        sys.argv.pop()
        import linux

        linux.prctl(linux.PR_SET_DUMPABLE, 1)  # what can't be read is not dumpable, and its /proc is not its own
    elif not hasty or os.stat("/proc/self/exe").st_uid == os.geteuid() != 0:
        _start_again(directory)


def _start_again(directory: str) -> None:
    import linux
    from linux import MS_NODEV, MS_NOSUID, MS_RDONLY, MS_REC, MS_REMOUNT, MS_SLAVE

    path = os.path.realpath(sys.executable)
    user, group = os.geteuid(), os.getegid()
    try:
        linux.unshare(linux.CLONE_NEWNS | (linux.CLONE_NEWUSER if user else 0))
    except OSError:
        return  # what comes next needs the same, and tells the host what is missing
    if user:
        for name, text in (
            ("setgroups", "deny"),
            ("uid_map", "%d %d 1" % (user, user)),
            ("gid_map", "%d %d 1" % (group, group)),
        ):
            linux.write_file("/proc/self/" + name, text)
    linux.mount(None, "/", None, MS_SLAVE | MS_REC)
    linux.mount(
        "interpreter",
        directory,
        "tmpfs",
        MS_NOSUID | MS_NODEV,
        "size=%d,mode=755" % (os.path.getsize(path) + (1 << 20)),
    )
    os.makedirs(directory + os.path.dirname(path))
    with open(path, "rb") as original, open(directory + path, "wb") as copy:
        os.fchmod(copy.fileno(), 0o111)
        while os.sendfile(copy.fileno(), original.fileno(), None, 1 << 30):
            pass
    executable = os.open(directory + path, os.O_PATH | os.O_CLOEXEC)
    linux.mount(None, directory, None, MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NODEV)
    linux.unmount(directory)  # it lasts as long as somebody executes it
    os.execve("/proc/self/fd/%d" % executable, [sys.orig_argv[0], *sys.orig_argv[1:], AGAIN], os.environ)
