"""What a fork server hands to a member when it clones it."""
import errno
import json
import os

import warden


class NamespacesMissing(OSError):
    def __init__(self, cause):
        if cause.errno in (errno.ENOSPC, errno.EUSERS):
            why = "the machine's number of user namespaces is used up, or zero (user.max_user_namespaces)"
        elif cause.errno in (errno.EPERM, errno.EACCES):
            why = "a container, AppArmor or a sysctl forbids them"
        else:
            why = "this kernel does not have all of them"
        super().__init__(cause.errno, "namespaces can't be made: %s (%s)" % (why, cause.strerror))

    def __str__(self):
        return self.strerror


class Member:
    """What the fork server hands to a member when it clones it."""

    def __init__(self, kind, slot, server, gate, hasty):
        self.kind, self.slot, self._gate = kind, slot, gate
        self.rootless, self.filter, self.broker = server.rootless, server.filter, server.requests
        self.listener = server.listeners[kind]
        self.group = server.groups[slot] if server.groups is not None else None
        self.disk_bytes = server.config["diskBytes"]
        self.inner_host_uid = server.uid_of(slot) + 1
        self.environment = server.config["environment"]
        self.hasty = hasty or bool(server.config["hasty"])
        self.bridge = self.lower = None
        self.owner = None if self.rootless else warden.contain.INNER_UID
        self.work, self.node, self.worker = "/work", "/drydock/bin/node", "/drydock/lib/worker.cjs"
        self.member_steps, self.code_steps = warden.contain.MEMBER_STEPS, warden.contain.CODE_STEPS

    def wait_for_fork_server(self):
        if os.read(self._gate[0], 1) != b"x":
            raise OSError(0, "the fork server did not prepare this member")

    def kept_descriptors(self):
        kept = [self.listener.fileno(), self.broker.fileno(), self.scratch]
        return kept + (self.group.descriptors() if self.group else [])

    def new_meter(self):
        return warden.new_meter(self)

    def prepare(self, code, request):
        warden.prepare(self, code, request)

    def send_changes(self, connection, limit_bytes, skip):
        warden.capture.send_changes(connection, self.top, limit_bytes, skip)

    def end_everything(self, pid):
        return warden.end_everything(pid)

    def leave(self):
        """The kernel ends what is left in a namespace with its pid 1."""
        os._exit(0)

    def complain(self, failed):
        os.write(1, json.dumps({"event": "member-failed", "reason": str(failed)}).encode() + b"\n")
