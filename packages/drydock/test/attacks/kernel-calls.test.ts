import { describe, expect, test } from "vitest";
import { openAttackDock } from "../testing/attack-dock.ts";

const it = openAttackDock();

const PRELUDE = `
import ctypes, os, signal
libc = ctypes.CDLL(None, use_errno=True)
def call(number, *args):
    return libc.syscall(ctypes.c_long(number), *[ctypes.c_long(a) if isinstance(a, int) else a for a in args])
`;

/** Each line is a name and a call (x86-64 numbers); what succeeded is given back. */
async function whatSucceeds(calls: Record<string, string>): Promise<unknown> {
  const lines = Object.entries(calls).map(([name, text]) => `if ${text} >= 0: won.append(${JSON.stringify(name)})`);
  const result = await it.attack(`${PRELUDE}\nwon = []\n${lines.join("\n")}\nresult = won`);
  expect(result.error).toBe(null);
  return result.result;
}

describe.skipIf(process.arch !== "x64")("asking the kernel for more", () => {
  test("mount, umount, remount, pivot_root, chroot and the new mount calls", async () => {
    expect(
      await whatSucceeds({
        mount: 'call(165, b"tmpfs", b"/tmp", b"tmpfs", 0, None)',
        remount: 'call(165, None, b"/usr", None, 32 | 4096, None)',
        proc: 'call(165, b"proc", b"/proc", b"proc", 0, None)',
        umount: 'call(166, b"/proc", 2)',
        "umount scratch": 'call(166, b"/.scratch", 2)',
        pivot_root: 'call(155, b"/tmp", b"/tmp")',
        chroot: 'call(161, b"/tmp")',
        open_tree: 'call(428, -100, b"/", 1)',
        move_mount: 'call(429, -100, b"/tmp", -100, b"/work", 0)',
        fsopen: 'call(430, b"tmpfs", 0)',
        fsmount: "call(432, 3, 0, 0)",
        fspick: 'call(433, -100, b"/", 0)',
        mount_setattr: 'call(442, -100, b"/usr", 0x8000, ctypes.create_string_buffer(32), 32)',
        statmount: "call(457, ctypes.create_string_buffer(32), ctypes.create_string_buffer(512), 512, 0)",
      }),
    ).toEqual([]);
  });

  test("namespaces of its own, by unshare, setns, clone and clone3", async () => {
    const result = await it.attack(`${PRELUDE}
won = []
for flag in (0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000, 0x80):
    if call(272, flag) == 0: won.append(("unshare", hex(flag)))
    for extra in (0, 0x4000):
        pid = call(56, flag | extra | 17, 0, 0, 0, 0)
        if pid == 0: os._exit(0)
        if pid > 0: won.append(("clone", hex(flag)))
arguments = (ctypes.c_uint64 * 11)(0x10000000, 0, 0, 0, 17)
pid = call(435, arguments, 88)
if pid == 0: os._exit(0)
if pid > 0: won.append("clone3")
for name in os.listdir("/proc/self/ns"):
    for pid in ("1", "self"):
        try: descriptor = os.open("/proc/%s/ns/%s" % (pid, name), os.O_RDONLY)
        except OSError: continue
        if call(308, descriptor, 0) == 0: won.append(("setns", pid, name))
if call(308, call(434, 1, 0), 0x20000) == 0: won.append("setns by pidfd")
result = won
`);
    expect(result).toMatchObject({ ok: true, result: [] });
  });

  test("keys, bpf, perf events, userfaultfd, io_uring, fanotify, kernel modules, kexec", async () => {
    expect(
      await whatSucceeds({
        bpf: "call(321, 5, ctypes.create_string_buffer(128), 128)",
        perf_event_open: "call(298, ctypes.create_string_buffer(128), 0, -1, -1, 0)",
        userfaultfd: "call(323, 0)",
        "userfaultfd user mode": "call(323, 1)",
        io_uring_setup: "call(425, 8, ctypes.create_string_buffer(120))",
        io_uring_enter: "call(426, 0, 0, 0, 0, None, 0)",
        io_uring_register: "call(427, 0, 0, None, 0)",
        fanotify_init: "call(300, 0, 0)",
        init_module: 'call(175, b"", 0, b"")',
        finit_module: 'call(313, 0, b"", 0)',
        kexec_load: "call(246, 0, 0, None, 0)",
        reboot: "call(169, 0xfee1dead, 672274793, 0, None)",
        syslog: "call(103, 10, None, 0)",
        swapon: 'call(167, b"/tmp", 0)',
        acct: "call(163, None)",
        iopl: "call(172, 3)",
        settimeofday: "call(164, ctypes.create_string_buffer(16), None)",
        sethostname: 'call(170, b"x", 1)',
        memfd_secret: "call(447, 0)",
        quotactl: "call(179, 0, None, 0, None)",
        "personality READ_IMPLIES_EXEC": "call(135, 0x0400000)",
      }),
    ).toEqual([]);
  });

  test("other processes' memory and descriptors, by ptrace, process_vm_readv, pidfd_getfd, kcmp and /proc", async () => {
    const result = await it.attack(`${PRELUDE}
child = os.fork()
if child == 0: signal.pause()
class Vector(ctypes.Structure): _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]
own = ctypes.create_string_buffer(64)
local = Vector(ctypes.addressof(own), 64)
won = []
for pid in (1, child):
    for request in (16, 0x4206):  # PTRACE_ATTACH, PTRACE_SEIZE
        if call(101, request, pid, 0, 0) == 0: won.append(("ptrace", pid))
    for number in (310, 311):
        if call(number, pid, ctypes.byref(local), 1, ctypes.byref(local), 1, 0) > 0: won.append(("process_vm", number, pid))
    if call(312, pid, os.getpid(), 0, 0, 0) >= 0: won.append(("kcmp", pid))
    pidfd = call(434, pid, 0)
    for descriptor in range(12):
        if call(438, pidfd, descriptor, 0) >= 0: won.append(("pidfd_getfd", pid, descriptor))
for name, flags in (("mem", os.O_RDWR), ("mem", os.O_RDONLY), ("maps", os.O_RDONLY), ("environ", os.O_RDONLY), ("auxv", os.O_RDONLY), ("syscall", os.O_RDONLY), ("stack", os.O_RDONLY), ("clear_refs", os.O_WRONLY), ("oom_score_adj", os.O_WRONLY), ("uid_map", os.O_WRONLY)):
    try:
        descriptor = os.open("/proc/1/" + name, flags)
        if flags == os.O_RDONLY:
            if os.read(descriptor, 4096): won.append(("read", name))
        else:
            os.write(descriptor, b"0"); won.append(("write", name))
    except OSError: pass
for name in ("fd", "root", "cwd", "map_files", "fdinfo"):
    try: won.append((name, os.listdir("/proc/1/" + name)))
    except OSError: pass
os.kill(child, 9)
result = won
`);
    expect(result).toMatchObject({ ok: true, result: [] });
  });

  test("no namespace is left to be made, whatever the filter says", async () => {
    const result = await it.attack(`
import glob
result = {path.split("/")[-1]: int(open(path).read()) for path in glob.glob("/proc/sys/user/max_*_namespaces")}
`);
    const limits = Object.values(result.result as Record<string, number>);
    expect(limits.length).toBeGreaterThan(4);
    expect(new Set(limits)).toEqual(new Set([0]));
  });

  test("watches on files, which the caller's own programs need too", async () => {
    const result = await it.attack(
      `${PRELUDE}
made = 0
while call(294, 0) >= 0: made += 1
result = made
`,
      { limits: { openFiles: 128 } },
    );
    expect(result.result).toBeLessThanOrEqual(32);
  });

  test("the kernel's switches: core_pattern, sysrq, modprobe, and everything else under /proc/sys", async () => {
    const result = await it.attack(`
import os
won = []
for path in ("/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger", "/proc/sys/kernel/modprobe", "/proc/sys/kernel/sysrq", "/proc/sys/vm/overcommit_memory", "/proc/sys/fs/binfmt_misc/register", "/proc/sys/kernel/hostname", "/proc/irq/default_smp_affinity", "/proc/self/uid_map", "/proc/self/gid_map"):
    try:
        with open(path, "w") as file: file.write("|/tmp/x")
        won.append(path)
    except OSError: pass
for directory, _, names in os.walk("/proc/sys"):
    for name in names:
        try: os.close(os.open(os.path.join(directory, name), os.O_WRONLY)); won.append(os.path.join(directory, name))
        except OSError: pass
result = won
`);
    expect(result).toMatchObject({ ok: true, result: [] });
  });

  test("raw, packet, netlink, vsock, crypto, bluetooth and other sockets than TCP, UDP and unix", async () => {
    const result = await it.attack(`${PRELUDE}
import socket
won = []
for family in range(0, 50):
    for kind in (1, 2, 3, 5, 10):
        descriptor = call(41, family, kind, 0)
        if descriptor >= 0:
            if family not in (1, 2, 10): won.append((family, kind))
            os.close(descriptor)
for protocol in (1, 2, 6, 17, 58, 255):
    for family in (2, 10):
        if call(41, family, 3, protocol) >= 0: won.append(("raw", family, protocol))
for family in (16, 17, 38, 40):
    if call(41, (1 << 32) | family, 3, 0) >= 0: won.append(("wide", family))
result = won
`);
    expect(result).toMatchObject({ ok: true, result: [] });
  });

  test("no capability in any set, no way to new privileges, and a filter on system calls", async () => {
    for (const [language, code] of [
      ["python", 'print(open("/proc/self/status").read())'],
      ["node", 'console.log(require("fs").readFileSync("/proc/self/status", "utf8"))'],
      ["bash", "cat /proc/self/status"],
    ] as const) {
      const { stdout } = await it.attack(code, { language });
      for (const set of ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"]) {
        expect(stdout).toMatch(new RegExp(`^${set}:\\t0000000000000000$`, "m"));
      }
      expect(stdout).toMatch(/^NoNewPrivs:\t1$/m);
      expect(stdout).toMatch(/^Seccomp:\t2$/m);
      expect(stdout).not.toMatch(/^(Uid|Gid):.*\t0(\t|$)/m);
      expect(stdout).toMatch(/^Groups:\s*(65534 ?)*$/m);
    }
  });

  test("becoming root by set-user-id programs, setuid, capset and ambient capabilities", async () => {
    const result = await it.attack(`${PRELUDE}
import stat, subprocess, glob
won = []
for program in ("su", "sudo", "mount", "newuidmap", "pkexec", "chsh", "passwd", "ping", "fusermount"):
    for directory in ("/usr/bin", "/bin", "/usr/sbin"):
        path = os.path.join(directory, program)
        if not os.path.exists(path): continue
        try: text = subprocess.run([path, "-c", "id -u"], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=5).stdout
        except (OSError, subprocess.TimeoutExpired): continue
        if text.strip() == "0": won.append(path)
copy = "/tmp/id"
with open("/usr/bin/id", "rb") as source, open(copy, "wb") as target: target.write(source.read())
os.chmod(copy, 0o6755)
if subprocess.run([copy, "-u"], capture_output=True, text=True).stdout.strip() == "0": won.append("copy")
for change in (lambda: os.setuid(0), lambda: os.setgid(0), lambda: os.setresuid(0, 0, 0), lambda: os.setgroups([0]), lambda: os.chown(copy, 0, 0)):
    try: change(); won.append("changed")
    except OSError: pass
header = (0x20080522).to_bytes(4, "little") + bytes(4)
if call(126, header, b"\\xff" * 24) == 0: won.append("capset")
for capability in range(41):
    if libc.prctl(47, 2, capability, 0, 0) == 0: won.append(("ambient", capability))
if os.getuid() == 0 or os.geteuid() == 0: won.append("uid 0")
result = won
`);
    expect(result).toMatchObject({ ok: true, result: [] });
  });

  test("system calls by the 32-bit and x32 numbers, where the filter does not look", async () => {
    const wide = await it.attack(`${PRELUDE}
won = []
for number in (165, 161, 272, 425, 321, 101):
    if call(0x40000000 | number, 0, 0, 0, 0, 0) >= 0: won.append(number)
result = won
`);
    expect(wide.result ?? []).toEqual([]);
    const old = await it.attack(`${PRELUDE}
import mmap
code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
# push rbx; mov eax, 20 (getpid); int 0x80; pop rbx; ret
code.write(bytes.fromhex("53b814000000cd805bc3"))
print("answered", ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))())
`);
    expect(old.stdout).not.toContain(`answered ${2}`);
    expect(old.ok && /answered [1-9]/.test(old.stdout)).toBe(false);
  });
});
