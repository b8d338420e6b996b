"""After a run, when nothing of it is alive: what it left in its directory, entry by entry, for the host."""
import json
import os
import stat

from frames import CONTENT, ENTRY, pack

CHUNK = 1 << 20


class TooLarge(Exception):
    pass


def send_changes(connection, root, limit_bytes, skip=(), known=None):
    """`root` is a descriptor of the directory. Contents of one inode are sent once; later names refer to the first.
    `known` remembers, for a session, what was sent before: only what differs is sent again."""
    sent = {}
    budget = [limit_bytes]
    for path, name, parent in _walk(root, "", frozenset(skip)):
        found = os.lstat(name, dir_fd=parent)
        entry = {"path": path, "mode": stat.S_IMODE(found.st_mode)}
        kind = stat.S_IFMT(found.st_mode)
        if kind == stat.S_IFREG:
            key = (found.st_dev, found.st_ino)
            entry.update(type="file", size=found.st_size)
            if key in sent:
                entry["same"] = sent[key]
                connection.sendall(pack(ENTRY, json.dumps(entry).encode()))
                continue
            sent[key] = path
            stamp = (*key, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
            if known is not None and known.get(path) == stamp:
                entry["unchanged"] = True
                connection.sendall(pack(ENTRY, json.dumps(entry).encode()))
                continue
            budget[0] -= found.st_size
            if budget[0] < 0:
                raise TooLarge(path)
            connection.sendall(pack(ENTRY, json.dumps(entry).encode()))
            _send_content(connection, name, parent)
            if known is not None:
                known[path] = stamp
            continue
        if kind == stat.S_IFDIR:
            entry.update(type="directory", opaque=_is_opaque(name, parent))
        elif kind == stat.S_IFLNK:
            entry.update(type="symlink", target=os.readlink(name, dir_fd=parent))
        elif kind == stat.S_IFCHR and found.st_rdev == 0:
            entry.update(type="whiteout")
        else:
            entry.update(type="other")
        connection.sendall(pack(ENTRY, json.dumps(entry).encode()))


def _walk(directory, prefix, skip):
    """Depth first, by descriptors: no path is ever resolved twice, and no link is followed."""
    for entry in sorted(os.scandir(directory), key=lambda item: item.name):
        path = prefix + entry.name
        if path in skip:
            continue
        yield path, entry.name, directory
        if entry.is_dir(follow_symlinks=False):
            below = os.open(entry.name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=directory)
            try:
                yield from _walk(below, path + "/", skip)
            finally:
                os.close(below)


def _is_opaque(name, parent):
    descriptor = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=parent)
    try:
        return os.getxattr(descriptor, "user.overlay.opaque") == b"y"
    except OSError:
        return False
    finally:
        os.close(descriptor)


def _send_content(connection, name, parent):
    descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=parent)
    try:
        while True:
            data = os.read(descriptor, CHUNK)
            connection.sendall(pack(CONTENT, data))
            if not data:
                return
    finally:
        os.close(descriptor)
