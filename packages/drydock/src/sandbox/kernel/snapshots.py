"""The files of a session, as they were after each step. A snapshot copies only what changed since the last one."""
import os
import shutil
import stat


class Snapshots:
    """`top` is the descriptor of the directory that holds what the session wrote (an overlay's upper layer, or the work
    directory itself); `lower` that of the user's directory, if there is one. Restoring goes through /work, the merged view:
    an overlay's layers must not be changed behind its back."""

    def __init__(self, top, lower, store):
        self._top = "/proc/self/fd/%d" % top
        self._lower = "/proc/self/fd/%d" % lower if lower is not None else None
        self._store = "/proc/self/fd/%d" % store
        self._copies = {}
        self._next = 0

    def take(self):
        """A manifest: path to (kind, mode, what)."""
        manifest = {}
        for path in self._paths():
            manifest[path] = self._describe(path)
        return manifest

    def forget(self, kept):
        """Drops the copies that none of the manifests in `kept` needs."""
        needed = {entry[2] for manifest in kept for entry in manifest.values() if entry[0] == "file"}
        for key in [key for key in self._copies if key not in needed]:
            os.unlink("%s/%d" % (self._store, self._copies.pop(key)))

    def restore(self, manifest):
        now = {path: self._describe(path, copy=False) for path in self._paths()}
        for path in sorted(set(now) - set(manifest), key=len, reverse=True):
            self._restore_below(path)
        for path in sorted(manifest, key=len):
            if now.get(path) != manifest[path]:
                self._put(path, manifest[path])

    def _paths(self):
        for directory, directories, files in os.walk(self._top):
            prefix = directory[len(self._top) + 1:]
            for name in sorted(directories) + sorted(files):
                yield os.path.join(prefix, name) if prefix else name

    def _describe(self, path, copy=True):
        full = "%s/%s" % (self._top, path)
        found = os.lstat(full)
        kind = stat.S_IFMT(found.st_mode)
        mode = stat.S_IMODE(found.st_mode)
        if kind == stat.S_IFLNK:
            return "symlink", 0, os.readlink(full)
        if kind == stat.S_IFDIR:
            return "directory", mode, None
        if kind == stat.S_IFREG:
            key = (found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
            if copy and key not in self._copies:
                shutil.copyfile(full, "%s/%d" % (self._store, self._next))
                self._copies[key] = self._next
                self._next += 1
            return "file", mode, key
        return "gone" if kind == stat.S_IFCHR and found.st_rdev == 0 else "other", 0, None

    def _restore_below(self, path):
        """The step made this path appear in the layer: what lay below shows again, or nothing."""
        target = "/work/" + path
        source = "%s/%s" % (self._lower, path) if self._lower else None
        if source is None or not os.path.lexists(source):
            self._remove(target)
            return
        found = os.lstat(source)
        if stat.S_ISDIR(found.st_mode):
            if not os.path.isdir(target) or os.path.islink(target):
                self._remove(target)
                shutil.copytree(source, target, symlinks=True)
            os.chmod(target, stat.S_IMODE(found.st_mode))
        else:
            self._remove(target)
            shutil.copy2(source, target, follow_symlinks=False)
        os.chown(target, 1000, 1000, follow_symlinks=False)

    def _put(self, path, entry):
        kind, mode, what = entry
        target = "/work/" + path
        if kind == "directory":
            if not os.path.isdir(target) or os.path.islink(target):
                self._remove(target)
                os.mkdir(target)
            os.chmod(target, mode)
        elif kind == "symlink":
            self._remove(target)
            os.symlink(what, target)
        elif kind == "gone":
            self._remove(target)
            return
        elif kind == "file":
            self._remove(target)
            shutil.copyfile("%s/%d" % (self._store, self._copies[what]), target)
            os.chmod(target, mode)
        else:
            return  # a socket or a pipe: nothing that content could bring back
        os.chown(target, 1000, 1000, follow_symlinks=False)

    @staticmethod
    def _remove(target):
        if os.path.isdir(target) and not os.path.islink(target):
            shutil.rmtree(target)
        elif os.path.lexists(target):
            os.unlink(target)
