"""The engines that make containers: how each is started, and what is to be known about its containers."""

from __future__ import annotations

import os
import resource
import subprocess

import plain_json as json
from container import roots

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from container.places import Places
    from container.roots import Root
    from shapes import Json

INNER_UID = 1000
CAPABILITIES = ("CHOWN", "SETUID", "SETGID", "KILL")
ANSWER_SECONDS = 20
# What a container that is not the owner's image may tell about the machine, and no run in namespaces does.
MASKED = ("/sys", "/proc/kallsyms", "/proc/config.gz", "/proc/key-users", "/proc/kmsg", "/proc/sysrq-trigger")
MOST_PROCESSES = 1 << 14
MB = 1 << 20


class Order:
    """One container: its name, a directory for the engine's own files, its root, the run's directories, the two users
    that are its own on the host, and the run's limits."""

    def __init__(self, name: str, base: str, root: Root, places: Places, uid: int, limits: Json) -> None:
        self.name, self.base, self.root, self.places, self.uid, self.limits = name, base, root, places, uid, limits

    @property
    def command(self) -> list[str]:
        return [self.root.python, "-s", roots.INNER_KERNEL + "/container_warden.py"]

    @property
    def bound(self) -> list[tuple[str, str, bool]]:
        """(Source, target, whether it can be written) of each directory of the run."""
        return [(self.places.work, "/work", True), *self.places.bound]


class Engine:
    name: str
    is_local = True  # it makes containers below our own processes, and sees our mounts
    is_in_group = False  # all of it belongs to the run's control group, not only what is in the container
    is_own_kernel = False  # containers have a kernel of their own, which does not limit processes: the warden counts
    reserve_bytes, reserve_processes = 0, 2  # what it needs itself of the group's limits

    def __init__(self, config: Json) -> None:
        self.command, self.image = config["command"], config["image"]

    def check(self) -> None:
        """Raises OSError with the reason why it can't be used."""
        self.ask(self.command, "--version")

    def ask(self, *command: str) -> str:
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=ANSWER_SECONDS, stdin=-3, check=False
            )
        except FileNotFoundError:
            raise OSError(0, "%s is not installed" % self.name) from None
        except (OSError, subprocess.TimeoutExpired) as error:
            raise OSError(0, "%s does not answer: %s" % (self.name, error)) from error
        if done.returncode != 0:
            raise OSError(0, "%s does not answer: %s" % (self.name, (done.stderr or done.stdout).strip()[-400:]))
        return done.stdout

    def make_root(self, directory: str, config: Json) -> Root:
        if self.image is not None:
            return roots.make_image_root(directory, self.image, "podman")
        return roots.make_system_root(directory, config)

    def inner_user(self, uid: int) -> int:
        """The code's user as the container knows it."""
        return INNER_UID

    def outer_user(self, uid: int) -> int:
        """The same user as the host knows it."""
        return uid + 1

    def outer_root(self, uid: int) -> int:
        """Who the warden is on the host."""
        return uid

    def arguments(self, order: Order) -> list[str]:
        raise NotImplementedError

    def pid(self, order: Order) -> int | None:
        """The warden's number on the host, when it has greeted."""
        raise NotImplementedError

    def remove(self, order: Order) -> list[str]:
        """A command that ends what is left of a container."""
        return [self.command, "rm", "--force", order.name]


class Podman(Engine):
    name = "podman"

    def arguments(self, order: Order) -> list[str]:
        maps = ["0:%d:1" % order.uid, "%d:%d:1" % (INNER_UID, order.uid + 1)]
        return [
            self.command,
            "run",
            *common_options(order),
            "--no-hosts",
            "--systemd=false",
            "--cgroups=disabled",
            "--ipc=none",
            "--read-only-tmpfs=false",
            "--unsetenv-all",
            "--security-opt=mask=" + ":".join(MASKED),
            "--pidfile=%s/pid" % order.base,
            *("--uidmap=" + each for each in maps),
            *("--gidmap=" + each for each in maps),
            # In a user namespace, crun leaves out what is mounted below a directory.
            *volumes([*order.bound, *order.places.nested]),
            "--rootfs",
            order.root.path,
            *order.command,
        ]

    def pid(self, order: Order) -> int | None:
        with open(order.base + "/pid") as file:
            return int(file.read())


class Gvisor(Engine):
    """The containers are gVisor's own processes: its kernel runs in one of them, and all are counted."""

    name = "gvisor"
    is_in_group = is_own_kernel = True
    reserve_bytes, reserve_processes = 256 * MB, 2000

    def outer_user(self, uid: int) -> int:
        return INNER_UID  # it has no user namespaces, and files in its reach are in our mount namespace only

    def outer_root(self, uid: int) -> int:
        return 0

    def arguments(self, order: Order) -> list[str]:
        bundle = order.base + "/bundle"
        os.mkdir(bundle, 0o700)
        with open(bundle + "/config.json", "w") as file:
            file.write(json.dumps(_describe_bundle(order)))
        return [*self._base(order), "run", "--bundle", bundle, order.name]

    def _base(self, order: Order) -> list[str]:
        options = ["--platform=ptrace", "--network=none", "--host-uds=open", "--ignore-cgroups"]
        return [self.command, "--root", order.base + "/state", *options]

    def pid(self, order: Order) -> int | None:
        return None

    def remove(self, order: Order) -> list[str]:
        return [*self._base(order), "delete", "--force", order.name]


def common_options(order: Order) -> list[str]:
    """What podman and docker call by the same names."""
    files, processes = (resource.getrlimit(kind)[1] for kind in (resource.RLIMIT_NOFILE, resource.RLIMIT_NPROC))
    return [
        "--rm",
        "--interactive",
        "--name=" + order.name,
        "--pull=never",
        "--network=none",
        "--log-driver=none",
        "--hostname=dock",
        "--read-only",
        "--workdir=/",
        "--user=0:0",
        "--env=LANG=C.UTF-8",
        "--cap-drop=all",
        *("--cap-add=" + name for name in CAPABILITIES),
        "--security-opt=no-new-privileges",
        # The engine's own limits may be higher than ours, and raising a limit is not everybody's right.
        "--ulimit=nofile=%d:%d" % ((_number(files),) * 2),
        "--ulimit=nproc=%d:%d" % ((min(_number(processes), MOST_PROCESSES),) * 2),
    ]


def _number(limit: int) -> int:
    return limit if limit != resource.RLIM_INFINITY else 1 << 20


def volumes(bound: Sequence[tuple[str, str, bool]]) -> list[str]:
    return ["--mount=" + _describe_mount(*each) for each in bound]


def _describe_mount(source: str, target: str, is_writable: bool) -> str:
    """A line of comma-separated values: names may hold anything but a line's end."""
    if "\n" in source + target:
        raise OSError(0, "a path with a line break can't be mounted: %r" % target)
    fields = ["type=bind", "source=" + source, "target=" + target, *([] if is_writable else ["readonly"])]
    return ",".join('"%s"' % field.replace('"', '""') if set(field) & set(',"') else field for field in fields)


def _describe_bundle(order: Order) -> Json:
    """As the specification of the Open Container Initiative has it."""
    capabilities = ["CAP_" + name for name in CAPABILITIES]
    limits = [("RLIMIT_NOFILE", resource.RLIMIT_NOFILE)]
    return {
        "ociVersion": "1.0.2",
        "hostname": "dock",
        "root": {"path": order.root.path, "readonly": True},
        "process": {
            "user": {"uid": 0, "gid": 0},
            "args": order.command,
            "env": ["LANG=C.UTF-8", "PATH=" + ":".join(roots.SEARCHED)],
            "cwd": "/",
            "noNewPrivileges": True,
            "capabilities": dict.fromkeys(("bounding", "effective", "permitted"), capabilities),
            "rlimits": [{"type": name, **_both(kind)} for name, kind in limits],
        },
        "mounts": [
            {"destination": "/proc", "type": "proc", "source": "proc"},
            {"destination": "/dev", "type": "tmpfs", "source": "tmpfs", "options": ["nosuid", "noexec", "size=65536"]},
            *(
                {
                    "destination": target,
                    "type": "bind",
                    "source": source,
                    "options": ["rbind", "rw" if writable else "ro", "nosuid", "nodev"],
                }
                for source, target, writable in order.bound
            ),
        ],
        "linux": {"namespaces": [{"type": kind} for kind in ("pid", "mount", "ipc", "uts", "network")]},
    }


def _both(kind: int) -> Json:
    number = _number(resource.getrlimit(kind)[1])
    return {"hard": number, "soft": number}
