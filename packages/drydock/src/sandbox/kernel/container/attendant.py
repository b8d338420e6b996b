"""The attendant of one run in a container, on the host's side and outside of the walls. It mounts what the run sees,
has the engine start the container, stands between the host and the warden inside (`relay`), and reads what the run left
when nothing of it is alive."""

from __future__ import annotations

import os
import signal
import socket

import linux
import plain_json as json
from attend import bridge, handover
from attend.host import Host, HostGone
from attend.meters import GroupMeter
from attend.preparation import KERNEL_SHARE_BYTES
from contain import rootfs, steps
from contain.limits import DISK
from container.engines import Order
from container.places import Places
from container.process import ContainerProcess
from container.relay import EngineFailed, Relay
from container.removal import remove_unmounted
from files import capture, seed
from files.workspace import WorkspaceFailed
from frames import DONE, HELLO, REHEARSE, pack, pack_done

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from contain.cgroups import SlotV1
    from container.server import ContainerServer
    from shapes import Ending, Json, Meter


class Leaving(BaseException):
    """The server ends."""


class ContainerMeter(GroupMeter):
    """What the engine itself needed before the code began is not the run's."""

    def __init__(self, group: SlotV1, scratch: int, network: str) -> None:
        super().__init__(group, scratch, network)
        self._before = 0.0
        self._before = self.memory_bytes()

    def memory_bytes(self, most: float = float("inf")) -> float:
        return max(0.0, super().memory_bytes(most + self._before) - self._before)

    def peak_bytes(self) -> int:
        return max(0, super().peak_bytes() - int(self._before))


def main(server: ContainerServer, kind: str, uid: int, group: SlotV1, number: int, parent: int) -> NoReturn:
    """In a fork of the server. Never returns."""
    attendant = None
    try:
        steps.restore_signals(server)  # pyright: ignore[reportArgumentType]
        signal.signal(signal.SIGTERM, _leave)
        linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:
            os._exit(0)
        descriptor = server.listeners[kind].accept()[0].detach()
        connection = handover.as_socket(descriptor)
        connection.sendall(pack(HELLO, b"{}"))
        if server.engine.is_local:
            rootfs.sealed_view()
        attendant = Attendant(server, kind, uid, group, number)
        attendant.serve(Host(connection))
    except (HostGone, Leaving):
        pass
    except BaseException:  # an internal error: the host gets it, and reports the run as lost
        import traceback

        traceback.print_exc()
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        try:
            if attendant is not None:
                attendant.clean_up()
        finally:
            os._exit(0)


def _leave(*_: object) -> NoReturn:
    raise Leaving()


class Attendant:
    def __init__(self, server: ContainerServer, kind: str, uid: int, group: SlotV1, number: int) -> None:
        self._server, self._engine, self._kind, self._uid, self._group = server, server.engine, kind, uid, group
        self._user = self._engine.outer_user(uid)
        self._name = "%s-%d" % (server.config["instance"], number)
        self._base = "%s/m%d" % (server.place, number)
        os.mkdir(self._base, 0o711)
        self._places: Places | None = None
        self._container: ContainerProcess | None = None
        self._bridge: int | None = None

    def serve(self, host: Host) -> None:
        kind, payload = host.receive()
        while kind == REHEARSE:
            kind, payload = host.receive()
        request = json.loads(payload)
        limits = request["code"]["limits"]
        try:
            source = self._prepare(host, request)
        except (WorkspaceFailed, OSError) as failed:
            if not isinstance(failed, seed.SeedFailed):
                seed.discard(host)
            full = seed.is_full(failed)
            self._say(host, DISK.reached(limits) if full else {"kind": "unavailable", "reason": str(failed)})
            return
        try:
            self._run(host, request, source)
        except (EngineFailed, OSError) as failed:
            reason = "%s could not start a container: %s" % (self._engine.name, failed)
            self._say(host, {"kind": "unavailable", "reason": reason})
        host.wait_for_hang_up()

    def _prepare(self, host: Host, request: Json) -> bytes:
        """Everything but the container. Returns the code, which comes when the run is on record."""
        limits = request["code"]["limits"]
        places = self._places = Places(self._base, self._user, limits["diskBytes"])
        if request.get("workspace"):
            places.open_workspace(request["workspace"])
        if request.get("mounts"):
            places.open_mounts(request["mounts"], self._server.root.path)
        seeded = request.get("seed")
        source = seed.take(host, places.work, self._user, limits["diskBytes"]) if seeded else host.receive()[1]
        places.pin((request.get("workspace") or {}).get("pin", ()))
        if request.get("network"):
            self._open_way_out(places, request.pop("network"))
            request["network"] = True
        return source

    def _open_way_out(self, places: Places, network: Json) -> None:
        """A socket that is seen inside, and a bridge from there to the egress proxy. The token stays out here."""
        directory = places.make_way()
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listener.bind(directory + "/out.sock")
        os.chown(directory + "/out.sock", self._engine.outer_root(self._uid), -1)
        os.chmod(directory + "/out.sock", 0o600)
        listener.listen(64)

        def connect() -> socket.socket:
            connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            connection.connect(network["socket"])
            return connection

        self._bridge = os.fork()
        if self._bridge == 0:
            try:
                signal.signal(signal.SIGTERM, signal.SIG_DFL)
                linux.die_with_parent()
                linux.close_all_but([listener.fileno()])
                bridge.serve(listener, connect, network["token"].encode())
            finally:
                os._exit(0)
        listener.close()

    def _run(self, host: Host, request: Json, source: bytes) -> None:
        assert self._places is not None  # it was prepared
        limits, engine = request["code"]["limits"], self._engine
        order = Order(self._name, self._base, self._server.root, self._places, self._uid, limits)
        self._group.reset_limits(
            limits["memoryBytes"] + limits["diskBytes"] + KERNEL_SHARE_BYTES + engine.reserve_bytes,
            limits["processes"] + engine.reserve_processes,
        )
        request["container"] = {
            "kind": self._kind,
            "user": engine.inner_user(self._uid),
            "filter": self._server.filter.code.hex(),
            "isOwnKernel": engine.is_own_kernel,
        }
        self._container = ContainerProcess(engine, order, self._group)
        relay = Relay(host, self._container, request, source)
        meter: list[Meter] = []

        def greet() -> Meter:
            meter.append(self._begin(order))
            return meter[0]

        relay.until_end(greet)
        if relay.facts:
            self._container.finish()
        else:
            lost = relay.end_of_lost() if relay.ending is None else relay.ending
            self._container.end()
            relay.drain()
            if lost is None:
                raise HostGone()  # nobody knows what happened: the host says that the run is lost
            relay.ending = lost
        self._conclude(host, relay, request, meter[0] if meter else None)

    def _begin(self, order: Order) -> Meter:
        """The warden is there, and nothing else yet: from here on all is counted."""
        assert self._places is not None  # it was prepared
        pid = self._engine.pid(order)
        if pid is not None:
            self._group.attach(pid)
        return ContainerMeter(self._group, self._places.descriptor, "/proc/%d/net" % pid if pid else "/")

    def _conclude(self, host: Host, relay: Relay, request: Json, meter: Meter | None) -> None:
        assert self._places is not None  # it was prepared
        limits, ending = request["code"]["limits"], relay.ending or {}
        if meter is None:
            return self._say(host, ending)
        top = self._places.open_top()
        try:
            host.flush()
            capture.send_changes(host.connection, top, limits["diskBytes"], request["skip"])
        except capture.TooLarge:
            ending = DISK.reached(limits)
        except OSError as error:
            raise HostGone() from error
        finally:
            os.close(top)
        usage = {
            "wallMs": relay.wall_ms,
            "cpuMs": meter.cpu_ns() // 1_000_000,
            "peakMemoryBytes": meter.peak_bytes(),
        }
        message = {"ending": ending, "usage": usage, "guardPassed": bool(relay.facts.get("guardPassed"))}
        host.send(DONE, pack_done(message, relay.report))

    @staticmethod
    def _say(host: Host, ending: Ending) -> None:
        host.send(DONE, pack_done({"ending": ending}))

    def clean_up(self) -> None:
        """Whatever the reason is: first nothing runs any more, then nothing is left."""
        if self._container is not None:
            self._container.end()
        if self._bridge is not None:
            os.kill(self._bridge, signal.SIGKILL)
            os.waitpid(self._bridge, 0)
        if self._places is not None:
            self._places.remove()
        remove_unmounted(self._base)
