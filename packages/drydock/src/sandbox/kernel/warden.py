"""Pid 1 of a member, and the only one in it that is trusted. It forks the code process and sleeps: a clone that is not even an
interpreter yet, so that it costs next to nothing. What the lookout does not attend wakes it up, and then it answers for what
happened: the limits, the deadline, the end of every process, the files that are left.

    cloned -> asleep -> serving one run, or one session -> gone
"""
import os
import resource
import signal
import socket

import bridge
import broker
import capture
import contain
import dockhand
import handover
import linux
import observe
import plain_json as json
import rehearsal
import seed
import watch
import workspace
from attendance import Attendance, name_status
from frames import CODE, DONE, NUDGE, PLAIN, READY, REHEARSE, REQUEST, YOURS, pack, pack_done, read_code
from host import Host, HostGone

PROXY_PORT = 3128
sessions = None  # the module `session`, where this server may be asked for one
# What the kernel itself keeps for a run (page tables, sockets, inodes) is charged to it, too.
KERNEL_SHARE_BYTES = 32 << 20


class Code:
    """The code process as its warden holds it."""

    def __init__(self, pid, channel, input_write, out, err):
        self.pid, self.input, self.out, self.err = pid, input_write, out, err
        self.channel = handover.as_socket(channel)
        self.reports = read_code()

    def close(self):
        self.channel.close()
        for descriptor in (self.input, self.out, self.err):
            if descriptor is not None:
                os.close(descriptor)

    def next_frame(self):
        """Waits for one frame; what comes after it stays for the next reader. None: the code process is gone."""
        frame = self.reports.next()
        while frame is None:
            data = self.channel.recv(1 << 16)
            if not data:
                return None
            self.reports.feed(data)
            frame = self.reports.next()
        return frame

    def send(self, *frames):
        self.channel.sendall(b"".join(pack(kind, payload) for kind, payload in frames))


def main(member, pid):
    """Pid 1, woken by the code process `pid`. Never returns."""
    try:
        contain.enter(member.warden_steps, member)
        kind, host, code, meter = _take_over(member, pid)
        if kind == PLAIN:
            serve_plain(member, host, code, meter)
        else:
            kind, payload = host.receive()
            while kind in (NUDGE, REHEARSE):
                if kind == REHEARSE:
                    _rehearse(member, code, meter)
                kind, payload = host.receive()
            _serve(member, host, code, json.loads(payload), meter)
        host.wait_for_hang_up()
    except HostGone:
        pass
    except contain.ContainmentFailed as failed:
        member.complain(failed)
    except BaseException:  # a fault of ours: the host hears of it, and the run is told as lost
        import traceback
        traceback.print_exc()
    finally:
        member.leave()


def _take_over(member, pid):
    """Which kind of run it is, and what it takes to attend it: (kind, host, code, meter)."""
    kind, descriptors = _take_message(member, pid)
    meter = None
    if kind == READY:
        *ends, member.scratch = descriptors
        code = Code(pid, *ends)
        if member.kind == "node" and code.next_frame() is None:
            raise contain.ContainmentFailed("the code process", os.read(code.err, 4096).decode("utf-8", "replace").strip())
        meter = member.new_meter()
        if member.kind == "node":  # it can't wait at the door itself
            return YOURS, Host(handover.open_door(member)), code, meter
        code.close()
        if not member.may_accept:
            handover.open_for(member)
        kind, descriptors = _take_message(member, pid)
    while kind == REHEARSE:
        *ends, member.scratch = descriptors
        code = Code(pid, *ends)
        _rehearse(member, code, meter)
        code.close()
        kind, descriptors = _take_message(member, pid)
    connection, *ends, member.scratch = descriptors
    return kind, Host(handover.as_socket(connection)), Code(pid, *ends), meter or member.new_meter()


def _rehearse(member, code, meter):
    rehearsal.rehearse(member, code, meter, judge, send_done)


def _take_message(member, pid):
    """What comes along the leash: (kind, descriptors). At its end nobody needs this member any more, or it never came to be."""
    kind, descriptors, _ = handover.take(member.conversation.leash)
    if kind:
        return kind, descriptors
    if os.waitpid(pid, os.WNOHANG) == (pid, dockhand.FAILED << 8):
        raise contain.ContainmentFailed("the code process", member.conversation.last_words())
    raise HostGone()


def _gone():
    raise HostGone()


def serve_plain(member, host, code, meter):
    """The code process has the request already, and soon the code; what it read beyond that comes back."""
    member.top = _open_top(member, "work")
    _, payload = code.next_frame() or _gone()
    _, rest = code.next_frame() or _gone()
    host.put_back(rest)
    _attend_run(member, host, code, json.loads(payload), meter)


def _serve(member, host, code, request, meter):
    """The code comes when the run is on record: until then there is time to prepare."""
    limits = request["code"]["limits"]
    try:
        member.prepare(code, request)
        source = seed.take(host, member.work, member.owner, limits["diskBytes"]) if request.get("seed") else host.receive()[1]
        workspace.pin((request.get("workspace") or {}).get("pin", ()))
    except (workspace.WorkspaceFailed, OSError) as failed:
        if not isinstance(failed, seed.SeedFailed):
            seed.discard(host)
        ending = {"kind": "unavailable", "reason": str(failed)}
        if seed.is_full(failed):
            ending = {"kind": "limit", "limit": "disk", "value": limits["diskBytes"]}
        host.send(DONE, pack_done({"ending": ending}))
        return
    if request["code"]["mode"] == "session":
        sessions.serve(member, host, code, request)
    else:
        _serve_run(member, host, code, request, source, meter)


def prepare(member, code, request):
    """Turns a member that fits anybody into one for this request. The code process is still ours here."""
    limits = request["code"]["limits"]
    if member.group is not None:
        member.group.set_limits(limits["memoryBytes"] + limits["diskBytes"] + KERNEL_SHARE_BYTES, limits["processes"] + 2)
    if limits["diskBytes"] != member.disk_bytes:
        workspace.resize_scratch(member, limits["diskBytes"])
    if request.get("workspace"):
        workspace.open_workspace(member, request)
    if request.get("shelves"):
        workspace.open_shelves(member, request["shelves"])
    member.top = _open_top(member, "upper" if request.get("workspace") else "work")
    if request.get("network"):
        member.bridge = _start_bridge(member, request["network"])
    if member.kind == "node":
        _limit_from_outside(code.pid, limits)


def _open_top(member, name):
    return os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=member.scratch)


def _limit_from_outside(pid, limits):
    for kind, amount in ((resource.RLIMIT_NOFILE, limits["openFiles"]), (resource.RLIMIT_FSIZE, limits["diskBytes"]),
                         (resource.RLIMIT_NPROC, limits["processes"]), (resource.RLIMIT_CPU, limits["cpuSeconds"])):
        value = int(amount) + contain.BEHIND_THE_RUN.get(kind, 0)
        resource.prlimit(pid, kind, (value, value))


def _start_bridge(member, network):
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", PROXY_PORT))
    listener.listen(64)
    pid = os.fork()
    if pid == 0:
        try:
            linux.close_all_but([listener.fileno(), member.broker.fileno()])

            def connect_host():
                descriptor, _ = broker.ask(member.broker, {"op": "connect", "path": network["socket"]})
                return socket.socket(fileno=descriptor)

            bridge.serve(listener, connect_host, network["token"].encode())
        finally:
            os._exit(0)
    listener.close()
    return pid


def new_meter(member, held=None):
    return watch.GroupMeter(member.group, member.scratch) if member.group is not None else watch.ProcessMeter(held, member)


def _serve_run(member, host, code, request, source, meter):
    code.send((REQUEST, json.dumps(request["code"]).encode()), (CODE, source))
    observer = _take_observer(code) if request["code"].get("observe") else None
    _attend_run(member, host, code, request, meter, observer)


def _take_observer(code):
    _, descriptors, _ = handover.take(code.channel)
    return observe.Observer(descriptors[0], code.pid) if descriptors else None


def _attend_run(member, host, code, request, meter, observer=None):
    limits = request["code"]["limits"]
    attendance = Attendance(host, code, limits, meter, code.pid, observer=observer)
    try:
        if not request["input"]:
            attendance._close_input()
        attendance.until_end()
        status = member.end_everything(code.pid)
        wall_ms = attendance.finish()
    finally:
        attendance.close()
    ending = attendance.ending if attendance.ending["kind"] != "ended" else judge(member, meter, limits, name_status(status), attendance.report)
    try:
        host.flush()
        member.send_changes(host.connection, limits["diskBytes"], request["skip"])
    except capture.TooLarge:
        ending = {"kind": "limit", "limit": "disk", "value": limits["diskBytes"]}
    except OSError as error:
        raise HostGone() from error
    more = {"observed": observer.report()} if observer else {}
    send_done(host, ending, attendance.report, meter, wall_ms, guardPassed=attendance.guard_passed, **more)


def kill_namespace():
    os.kill(-1, signal.SIGKILL)


def end_everything(pid, kill=kill_namespace):
    """Kills all that is left in the namespace, and waits until it is gone. Returns the status of `pid`."""
    status = 0
    while True:
        try:
            kill()
        except ProcessLookupError:
            pass
        try:
            ended, how = os.waitpid(-1, 0)
        except ChildProcessError:
            return status
        if ended == pid:
            status = how


def judge(member, meter, limits, ending, report):
    """An end that the kernel caused is told as the limit it was."""
    if ending == {"kind": "exited", "exitCode": 0}:
        return ending
    if meter.out_of_memory():
        return {"kind": "limit", "limit": "memory", "value": limits["memoryBytes"]}
    if ending.get("signal") == "SIGXCPU":
        return {"kind": "limit", "limit": "cpu", "value": limits["cpuSeconds"]}
    if ending.get("signal") == "SIGXFSZ":
        return {"kind": "limit", "limit": "disk", "value": limits["diskBytes"]}
    if report is None and meter.processes_refused():
        return {"kind": "limit", "limit": "processes", "value": limits["processes"]}
    if report is None:
        room = os.statvfs(member.scratch)
        if room.f_bfree == 0 or room.f_ffree == 0:
            return {"kind": "limit", "limit": "disk", "value": limits["diskBytes"]}
    return ending


def send_done(host, ending, report, meter, wall_ms, **more):
    message = {"ending": ending, "usage": {"wallMs": wall_ms, "cpuMs": meter.cpu_ns() // 1_000_000, "peakMemoryBytes": meter.peak_bytes()}, **more}
    host.send(DONE, pack_done(message, report or b""))
