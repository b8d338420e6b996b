"""Forks of a session, made by its warden: n copies of the interpreter as it is now, each with a warden, namespaces, a
control group and files of its own.

    1. the files are copied once, for all of them to stand on          (files.frozen)
    2. each fork gets a warden, which builds the place                 (sessions.fork_warden)
    3. the interpreter is stopped at its fork point, and copied        (sessions.copying)

A fork's process namespace lies within the session's: the kernel has no other place for a descendant. So this warden
outlives its session until the last of the forks is gone."""

from __future__ import annotations

import errno
import os
import secrets
import select
import signal
import socket

import linux
from attend import handover
from attend.handover import receive_from
from attend.preparation import KERNEL_SHARE_BYTES
from contain import fork_groups, process_status
from contain.fork_base import ForkBase
from contain.fork_steps import PLACES
from files import broker
from files.frozen import Frozen
from frames import FORK, READY, SHED
from sessions import fork_warden, tracee
from sessions.copying import NAMESPACES, Copier, enter_domain, is_alone
from sessions.fork_point import PATIENCE_S, hold_at_fork_point
from sessions.tracee import Lost

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

    from attend.code_handle import CodeHandle
    from attend.host import Host
    from attend.member import Member
    from contain.cgroups import SlotV1
    from sessions.session_state import State
    from sessions.tracee import Tracee
    from shapes import Json, Socket


class ForkRefused(Exception):
    def __init__(self, why: str, reason: str) -> None:
        super().__init__(reason)
        self.why = why


class Fork:
    """One that is being made: its warden, and the link to it."""

    group: int | None = None

    def __init__(self, pid: int, name: str, link: Socket) -> None:
        self.pid, self.name, self.link = pid, name, link
        self.pidfd = linux.pidfd_open(pid)
        self.descriptors: list[int] = []

    def is_gone(self) -> bool:
        poll = select.poll()
        poll.register(self.pidfd, select.POLLIN)
        return bool(poll.poll(0))

    def close_link(self) -> None:
        self.link.close()
        for descriptor in self.descriptors:
            os.close(descriptor)
        self.descriptors = []

    def drop(self) -> None:
        self.close_link()
        try:
            signal.pidfd_send_signal(self.pidfd, signal.SIGKILL)
        except ProcessLookupError:
            pass
        os.close(self.pidfd)


class Forker:
    """`serve` is what the warden of a fork does with it."""

    def __init__(
        self,
        member: Member,
        code: CodeHandle,
        request: Json,
        serve: Callable[[Member, Host, CodeHandle, Json], NoReturn],
    ) -> None:
        self._member, self._code, self._request, self._serve = member, code, request, serve
        self._base: ForkBase | None = None
        self._frozen: dict[tuple[int, ...], Frozen] = {}
        self._next_frozen = 0
        self.living: list[Fork] = []
        self._made = 0

    def fork(self, state: State, number: int, epoch: tuple[int, ...], networks: list[Json | None]) -> list[str]:
        """The names by which the forks' wardens greet the host."""
        if not tracee.SUPPORTED:
            raise ForkRefused("machine", "the machine type %s is not supported" % linux.MACHINE)
        if not is_alone(state.pid):
            self._shed_threads(state)
        self.forget_dead()
        made: list[Fork] = []
        try:
            frozen = self._freeze(epoch)
            for network in networks:
                made.append(
                    self._start_warden(frozen, {**self._request, "network": network, "from": [state.number, number]})
                )
            for fork in made:
                self._await_place(fork)
            self._copy(state, made)
        except BaseException as error:
            for fork in made:
                fork.drop()
            for fork in made:
                _await_end(fork.pid)
            if isinstance(error, OSError):
                raise ForkRefused("place", "a fork's place could not be built: %s" % error) from error
            raise
        for fork in made:
            fork.close_link()
            frozen.users.append(fork.pid)
        self.living += made
        self._made += len(made)
        return [fork.name for fork in made]

    @property
    def has_forked(self) -> bool:
        """Whether there may be namespaces below."""
        return self._base is not None

    def _shed_threads(self, state: State) -> None:
        """Those of libraries can be spared. Others have an owner who would miss them."""
        self._code.send((FORK, SHED))
        poll = select.poll()
        poll.register(self._code.channel.fileno(), select.POLLIN)
        if not poll.poll(PATIENCE_S * 1000) or receive_from(self._code.channel)[0] != state.pid:
            raise ForkRefused("copy", "its interpreter does not answer")
        if not is_alone(state.pid):
            raise ForkRefused("threads", "it has threads, which a copy would not have")

    def forget_dead(self) -> None:
        gone = [fork for fork in self.living if fork.is_gone()]
        self.living = [fork for fork in self.living if fork not in gone]
        for fork in gone:
            os.close(fork.pidfd)
            try:
                os.waitpid(fork.pid, os.WNOHANG)
            except ChildProcessError:
                pass  # reaped with others
            for frozen in self._frozen.values():
                if fork.pid in frozen.users:
                    frozen.users.remove(fork.pid)

    def outlive(self) -> None:
        """The session is over; its forks are not."""
        for fork in self.living:
            poll = select.poll()
            poll.register(fork.pidfd, select.POLLIN)
            poll.poll()

    def _freeze(self, epoch: tuple[int, ...]) -> Frozen:
        """`epoch` changes with whatever could have changed a file."""
        if epoch in self._frozen:
            return self._frozen[epoch]
        for old in [key for key, frozen in self._frozen.items() if not frozen.users]:
            self._frozen.pop(old).drop()
        frozen = Frozen(self._member.scratch, "frozen-%d" % self._next_frozen)
        self._next_frozen += 1
        try:
            if self._request.get("workspace"):
                frozen.keep_layer(self._member.top, self._member.below)
            else:
                frozen.keep_place("work", "/work")
            for name, path in PLACES.items():
                frozen.keep_place(name, path)
        except OSError as error:
            frozen.drop()
            raise ForkRefused("files", "its files could not be copied: %s" % error) from error
        self._frozen[epoch] = frozen
        return frozen

    def _start_warden(self, frozen: Frozen, request: Json) -> Fork:
        member, name = self._member, secrets.token_hex(8)
        if self._base is None:
            self._base = ForkBase(member.rootless)
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        group_number, group = self._take_group()
        try:
            pid = self._base.clone_warden()
            if pid == 0:
                place = fork_warden.ForkedMember(member, request, frozen, group, theirs)
                fork_warden.main(place, name, self._serve)
        finally:
            theirs.close()
            if group is not None:
                group.close()
        fork = Fork(pid, name, ours)
        try:
            self._base.map_identity(pid)
            fork.group = group_number
            self._attach(fork, pid)
            ours.send(READY)
        except BaseException:
            fork.drop()
            raise
        return fork

    def _take_group(self) -> tuple[int | None, SlotV1 | None]:
        """A control group of its own, with the limits of the session."""
        if self._member.group is None:
            return None, None
        descriptors, facts = broker.ask_for(self._member.broker, {"op": "group"})
        group, limits = fork_groups.adopt(facts, descriptors), self._request["code"]["limits"]
        most = limits["memoryBytes"] + limits["diskBytes"] + KERNEL_SHARE_BYTES
        group.reset_limits(most, limits["processes"] + 2)
        return facts["group"], group

    def _attach(self, fork: Fork, pid: int) -> None:
        if fork.group is not None:
            broker.ask_for(self._member.broker, {"op": "attach", "group": fork.group}, pid)

    def _await_place(self, fork: Fork) -> None:
        fork.link.settimeout(PATIENCE_S)
        try:
            message, fork.descriptors, _ = handover.take(fork.link)
        except OSError as error:
            raise ForkRefused("place", "a fork's place was not built in time (%s)" % error) from error
        if message != READY:
            raise ForkRefused("place", "a fork's place could not be built: %s" % message.decode("utf-8", "replace"))

    def _copy(self, state: State, forks: list[Fork]) -> None:
        def copy(original: Tracee, buffer: int, thread_id: int) -> None:
            if not is_alone(state.pid):
                raise ForkRefused("threads", "it has threads, which a copy would not have")
            copier = Copier(original, self._code.channel, buffer, thread_id)
            for fork in forks:
                signal.setitimer(signal.ITIMER_REAL, PATIENCE_S)
                split = len(NAMESPACES)
                copier.copy(
                    fork.descriptors[:split], fork.descriptors[split:], lambda pid, fork=fork: self._attach(fork, pid)
                )
                fork.link.send(READY)

        try:
            self._at_fork_point(state, copy)
        except (Lost, OSError) as error:
            if isinstance(error, OSError) and error.errno == errno.EAGAIN:
                raise ForkRefused("limit", "its limit on processes is used up") from error
            raise ForkRefused("copy", "its interpreter could not be copied: %s" % error) from error

    def keep_apart(self, state: State) -> None:
        """The code of a session is the user that its forks belong to, and their processes are below its own. So that
        its next step can neither signal nor look into them, it enters a domain that they are not in."""
        self.forget_dead()
        if not self.living or state.apart_from == self._made:
            return
        try:
            self._at_fork_point(state, lambda original, buffer, _: enter_domain(original, buffer))
        except (Lost, OSError) as error:
            reason = "its code can't be kept from its forks (%s): close them first" % error
            raise ForkRefused("apart", reason) from error
        state.apart_from = self._made

    def _at_fork_point(self, state: State, use: Callable[[Tracee, int, int], None]) -> None:
        try:
            hold_at_fork_point(state.pid, lambda: self._code.send((FORK, b"")), use)
        finally:
            process_status.reap()


def _await_end(pid: int) -> None:
    """Until then its processes count."""
    try:
        os.waitpid(pid, 0)
    except ChildProcessError:
        pass  # reaped with others
