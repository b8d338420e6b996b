"""The fork server of members without namespaces. Two kinds of them: behind Landlock, for machines that give no namespaces
and an owner who accepts that level; and unconfined, for the owner who says so and the run that asks for it.

Started as: python3 -s bare.py CONFIG, and spoken to like `zygote.py`."""
import shadows  # noqa: I001, F401  (first of all: it looks at what is imported so far)
import gc
import os
import resource
import signal
import sys
import tempfile

import contain
import contain_bare
import copied
import dockhand
import landlock
import landlock_filter
import linux
import plain_json as json
import tree
import warden
import zygote

BASE_PATH = "/usr/local/bin:/usr/bin:/bin"


class BareMember(zygote.Member):
    """A directory of its own on disk takes the place of the file system that others see, its warden the place of pid 1."""

    may_accept = False  # its filter refuses that
    environment = None

    def __init__(self, kind, slot, server, number):
        self.kind, self.slot, self.rootless = kind, slot, server.rootless
        self.filter, self.listener, self.fork_server = server.filter, server.listeners[kind], os.getpid()
        self.confined, self.config = server.confined, server.config
        self.own_user = server.uid_of(slot) if server.confined and not server.rootless else None
        self.owner = self.own_user
        self.base = "%s/m%d" % (server.place, number)
        self.work = self.base + "/work"
        self.group = self.bridge = self.lower = self.copied = self.jobs = None
        self.tools = [(name, self.config["python"]) for name in ("python", "python3")]
        if self.config["node"]:
            self.node, self.worker = self.config["node"], zygote.KERNEL + "/worker.cjs"
            self.tools.append(("node", self.node))
        self.readable = [*self.config["interpreterPaths"], self.config["python"], *([self.node, self.worker] if self.config["node"] else [])]
        self.member_steps = contain_bare.LANDLOCK_MEMBER_STEPS if self.confined else contain_bare.UNCONFINED_MEMBER_STEPS
        self.warden_steps, self.conversation = (), zygote.handover.Conversation(self.own_user)
        self.code_steps = contain_bare.LANDLOCK_CODE_STEPS if self.confined else contain_bare.UNCONFINED_CODE_STEPS

    def kept_descriptors(self):
        return [self.listener.fileno(), self.scratch, *self.conversation.descriptors()]

    def own_descriptors(self):
        return [self.scratch]

    def new_meter(self):
        self.meter = tree.TreeMeter(self.base, self.confined)
        return self.meter

    def base_environment(self):
        """What a run finds when the policy lets nothing through."""
        return {"PATH": "%s/bin:%s" % (self.base, BASE_PATH), "HOME": self.base + "/home", "TMPDIR": self.base + "/tmp",
                "MPLCONFIGDIR": self.base + "/tmp", "MPLBACKEND": "Agg", "LANG": "C.UTF-8",
                # It would refresh its index, which is protected, where reading is all that was asked for.
                "GIT_OPTIONAL_LOCKS": "0", **({"GIT_CONFIG_NOSYSTEM": "1"} if self.confined else {})}

    def prepare(self, code, request):
        limits = request["code"]["limits"]
        request["code"]["environment"] = {**self.base_environment(), **request["code"]["environment"]}
        if request.get("workspace"):
            workspace = request["workspace"]
            self.copied = copied.copy_workspace(workspace["path"], self.work, workspace["hide"], self.own_user)
        self.top = os.open("work", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=self.scratch)
        self.meter.limit(limits["processes"], limits["diskBytes"])
        self._limit(code.pid, limits)
        request["code"]["limits"] = {**limits, "processes": None}

    def _limit(self, pid, limits):
        """From outside, and before the code process reads its request. The limit on processes counts all of a user's."""
        wanted = {resource.RLIMIT_NOFILE: limits["openFiles"], resource.RLIMIT_FSIZE: limits["diskBytes"], resource.RLIMIT_CPU: limits["cpuSeconds"] + 1}
        if self.confined:
            wanted[resource.RLIMIT_NPROC] = limits["processes"] + (0 if self.own_user is not None else _tasks_of(os.getuid()))
        if self.own_user is None:
            return _set_limits(pid, wanted)
        helper = os.fork()  # root that is not almighty may not do it, the same user may
        if helper == 0:
            try:
                contain_bare.drop_identity(self)
                _set_limits(pid, wanted)
                os._exit(0)
            finally:
                os._exit(1)
        if os.waitpid(helper, 0)[1] != 0:
            raise OSError(0, "the limits could not be set")

    def send_changes(self, connection, limit_bytes, skip):
        copied.send_differences(connection, self.top, self.copied or {}, limit_bytes)

    def end_everything(self, pid):
        if not self.confined:
            return tree.end_descendants(pid)
        return warden.end_everything(pid, lambda: landlock.signal_descendants(signal.SIGKILL))

    def leave(self):
        """Whatever the reason is: first nothing runs any more, then nothing is left, then this process is gone."""
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        try:
            self.end_everything(0)
        finally:
            copied.remove(self.base)
            os._exit(0)


def _set_limits(pid, wanted):
    for kind, amount in wanted.items():
        ceiling = resource.prlimit(pid, kind)[1]
        value = int(amount) if ceiling == resource.RLIM_INFINITY else min(int(amount), ceiling)
        resource.prlimit(pid, kind, (value, value))


def _tasks_of(uid):
    total = 0
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and os.stat("/proc/" + name).st_uid == uid:
                total += len(os.listdir("/proc/%s/task" % name))
        except OSError:
            continue  # it ended meanwhile
    return total


class BareServer(zygote.Server):
    def __init__(self, config):
        super().__init__(config)
        self.confined = config["confinement"] == "landlock"
        self._count = 0

    def prepare(self):
        self.level = "landlock" if self.confined else "none"
        self.level_reason = "there are no namespaces" if self.confined else "it was asked for"
        self.filter = None
        if self.confined:
            landlock.check()
            self.filter = landlock_filter.LandlockFilter(own_user=not self.rootless)
        self.listeners = {kind: self._listen(kind) for kind in ("python", "node")}
        self.place = self._make_place()
        linux.prctl(linux.PR_SET_CHILD_SUBREAPER, 1)
        self._preload()
        self._set_scene()
        self._hide_kernel()
        gc.freeze()

    def _make_place(self):
        """Our own directory is closed to everybody. Code that is another user needs one that it can get through; it is
        recorded, so that a later start can collect it."""
        if self.rootless or not self.confined:
            return self.config["directory"]
        place = tempfile.mkdtemp(prefix="drydock-")
        tempfile.tempdir = None  # what it remembers would be the members' too, and they have another
        with open(self.config["directory"] + "/places", "w") as record:
            record.write(place + "\n")
        os.chmod(place, 0o711)
        return place

    def spawn(self, kind):
        slot = self.slots.pop()
        self._count += 1
        member = BareMember(kind, slot, self, self._count)
        pid = os.fork()
        if pid == 0:
            _start(member)
        member.conversation.close()
        self.live[pid] = slot

    def reap(self):
        """A warden that was killed leaves orphans: they are ours, and end here."""
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
            while pid:
                slot = self.live.pop(pid, None)
                if slot is not None:
                    self.slots.append(slot)
                pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        for pid in tree.children(os.getpid()):
            if pid not in self.live:
                _signal(pid, signal.SIGKILL)

    def stop(self):
        for pid in self.live:
            _signal(pid, signal.SIGTERM)
        while self.live:
            try:
                self.live.pop(os.waitpid(-1, 0)[0], None)
            except ChildProcessError:
                break
        if self.place != self.config["directory"]:
            copied.remove(self.place)


def _start(member):
    """The member's warden, which is outside of the walls and builds them. Never returns."""
    try:
        contain.enter(member.member_steps, member)
        code = os.fork()
    except (contain.ContainmentFailed, OSError) as failed:
        member.complain(failed)
        member.leave()
    if code == 0:
        dockhand.main(member)
    for descriptor in member.conversation.surplus():
        os.close(descriptor)
    warden.main(member, code)


def _signal(pid, number):
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass  # it ended meanwhile


if __name__ == "__main__":
    try:
        zygote.run(BareServer(json.loads(sys.argv[1])))
    except zygote.Program as program:
        ready = program
    try:
        ready.await_rest(eval(*ready.take()))
    except BaseException as error:  # the code's own failure, whatever it is
        ready.tell(error)
    ready.conclude()
