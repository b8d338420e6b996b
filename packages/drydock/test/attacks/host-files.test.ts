import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openAttackDock, saidBy } from "../testing/attack-dock.ts";

const it = openAttackDock();

/** Reads `path` by every detour that leads to the root of some process, and says what came of it. */
const readByDetours = (path: string) => `
import glob, os
detours = ["", "/proc/1/root", "/proc/self/root", "/proc/thread-self/root", "/proc/1/cwd/../../../../..", "/.scratch", "/.lower",
           "/.scratch/../..", "/work/../../../..", "/tmp/../..", "/proc/self/cwd/../../../..", "/dev/fd/3/../..", "/usr/../..", "/proc/2/root/.."]
detours += glob.glob("/proc/[0-9]*/root") + glob.glob("/proc/[0-9]*/fd/*") + glob.glob("/proc/[0-9]*/task/*/root")
got = []
for detour in detours:
    try:
        got.append((detour, open(detour + ${JSON.stringify(path)}, "rb").read(4096).decode("utf-8", "replace")))
    except OSError:
        pass
result = got
`;

describe("reading the host's files", () => {
  test("a secret in the host's temporary directory, by its path and through /proc, .. and the layers' places", async () => {
    const result = await it.attack(readByDetours(join(it.host, "canary.txt")));
    expect(result).toMatchObject({ ok: true, result: [] });
  });

  test("a secret in the caller's home", async () => {
    const directory = mkdtempSync(join(homedir(), ".drydock-attack-"));
    try {
      writeFileSync(join(directory, "key"), it.canary);
      expect(await it.attack(readByDetours(join(directory, "key")))).toMatchObject({ ok: true, result: [] });
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  test("/etc/shadow, the machine's accounts, its host name and its id", async () => {
    const result = await it.attack(`
import os
result = {}
for path in ("/etc/shadow", "/etc/gshadow", "/etc/sudoers", "/etc/machine-id", "/etc/ssh/sshd_config", "/var/lib/dpkg/status", "/boot", "/sys/class", "/var/log"):
    result[path] = os.path.exists(path)
result["accounts"] = open("/etc/passwd").read().count("\\n")
result["host"] = os.uname().nodename
`);
    const { accounts, host, ...paths } = result.result as Record<string, unknown>;
    expect(Object.values(paths)).not.toContain(true);
    expect({ accounts, host }).toEqual({ accounts: 3, host: "dock" });
  });

  test("the key that receipts are signed with, also where the home lies in the workspace", async () => {
    await it.dock.keys.current();
    const path = join(it.dock.home, "keys", "signing.key");
    expect(readFileSync(path, "utf8")).toContain("PRIVATE KEY");
    expect(await it.attack(readByDetours(path))).toMatchObject({ ok: true, result: [] });
    const within = await it.attack(
      `import os
result = [name for name in ("canary.txt", "home/keys/signing.key", "home/keys", "home/ledger.db") if os.path.exists("/work/" + name)]`,
      { workspace: it.host },
    );
    expect(within).toMatchObject({ ok: true, result: ["canary.txt"] });
    const environment = await it.attack("import os; result = dict(os.environ)");
    expect(saidBy(environment)).not.toContain("signing.key");
  });

  test("Drydock's own home, ledger and sockets", async () => {
    for (const name of ["ledger.db", "ledger.db-wal", "policy.yaml", "cache"]) {
      expect(await it.attack(readByDetours(join(it.dock.home, name)))).toMatchObject({ ok: true, result: [] });
    }
    const result = await it.attack(`
import glob
result = glob.glob("/tmp/drydock-*") + glob.glob("/tmp/**/*.sock", recursive=True) + glob.glob("/run/**", recursive=True)[1:]
`);
    expect(result.result).toEqual([]);
  });

  test("the disk itself, through devices and file handles", async () => {
    const result = await it.attack(`
import ctypes, os, stat
libc = ctypes.CDLL(None, use_errno=True)
won = []
for major, minor in ((8, 0), (254, 0), (259, 0), (1, 1), (1, 2), (1, 4)):
    name = "/tmp/disk-%d-%d" % (major, minor)
    try:
        os.mknod(name, stat.S_IFBLK | 0o666 if major > 1 else stat.S_IFCHR | 0o666, os.makedev(major, minor))
        won.append(os.read(os.open(name, os.O_RDONLY), 16).hex())
    except OSError:
        pass
for path in ("/dev/mem", "/dev/kmem", "/dev/vda", "/dev/sda", "/dev/kvm", "/dev/fuse", "/dev/net/tun", "/proc/kcore"):
    try:
        if open(path, "rb").read(16): won.append(path)
    except OSError:
        pass
handle = ctypes.create_string_buffer(136)
for inode in (2, 1, 11, 128, 256):  # the roots of the usual file systems
    handle[:16] = (8).to_bytes(4, "little") + (1).to_bytes(4, "little") + inode.to_bytes(8, "little")
    for place in ("/usr", "/etc/ssl/certs", "/proc", "/work"):
        fd = libc.syscall(304, os.open(place, os.O_RDONLY), handle, os.O_RDONLY)
        if fd >= 0: won.append(os.readlink("/proc/self/fd/%d" % fd))
result = won
`);
    expect(result).toMatchObject({ ok: true, result: [] });
  });

  test("descriptors that the fork server might have left open", async () => {
    const result = await it.attack(`
import os
result = {}
for name in os.listdir("/proc/self/fd"):
    try: result[name] = os.readlink("/proc/self/fd/" + name).split(":")[0]
    except OSError: pass
`);
    const found = result.result as Record<string, string>;
    expect(Object.keys(found).filter((name) => Number(name) > 4)).toEqual([]);
    expect(Object.values(found).filter((kind) => kind === "socket")).toHaveLength(1);
    expect(found).toMatchObject({ 0: "pipe", 1: "pipe", 2: "pipe", 3: "socket" });
  });
});

describe("reading the host's secrets", () => {
  test("environment variables, its own and those of every process it can see", async () => {
    const result = await it.attack(`
import glob, os, subprocess
texts = [repr(dict(os.environ))]
for path in glob.glob("/proc/[0-9]*/environ") + ["/proc/self/environ", "/proc/thread-self/environ"]:
    try: texts.append(open(path, "rb").read().decode("latin1"))
    except OSError: pass
texts.append(subprocess.run(["env"], capture_output=True, text=True).stdout)
print("\\n".join(texts))
`);
    expect(result.ok).toBe(true);
    expect(saidBy(result)).not.toContain("SECRET_CANARY");
    expect(saidBy(result)).not.toContain(it.canary);
  });

  test("environment variables, by Node and by bash", async () => {
    for (const [language, code] of [
      ["node", "console.log(process.env, process.report?.getReport().environmentVariables)"],
      ["bash", "env; set; cat /proc/*/environ"],
    ] as const) {
      const reply = saidBy(await it.attack(code, { language }));
      expect(reply).not.toContain("SECRET_CANARY");
      expect(reply).not.toContain(it.canary);
    }
  });

  test("the memory it was forked from holds no environment and no arguments of the host", async () => {
    const result = await it.attack(`
import re
found = 0
with open("/proc/self/mem", "rb", 0) as memory:
    for line in open("/proc/self/maps"):
        span, mode = line.split()[:2]
        if mode[0] != "r" or "[v" in line: continue
        start, end = (int(x, 16) for x in span.split("-"))
        try:
            memory.seek(start)
            found += len(re.findall(rb"SECRET_CANAR[Y]=|canar[y]-[0-9a-f]{24}", memory.read(end - start)))
        except (OSError, ValueError, OverflowError): pass
result = found
`);
    expect(result).toMatchObject({ ok: true, result: 0 });
  });

  test("the keys of whoever started it", async () => {
    const result = await it.attack(`
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
def call(*args): return libc.syscall(*args)
result = [
    call(250, 0, -3, 0),                                     # keyctl(KEYCTL_GET_KEYRING_ID, session)
    call(250, 0, -4, 0),                                     # … user
    call(250, 11, -4, ctypes.create_string_buffer(64), 64),  # KEYCTL_READ
    call(248, b"user", b"name", b"value", 5, -4),            # add_key
    call(249, b"user", b"name", b"", -3),                    # request_key
    len(open("/proc/keys").read()) if __import__("os").path.exists("/proc/keys") else 0,
]
`);
    expect(result).toMatchObject({ ok: true, result: [-1, -1, -1, -1, -1, 0] });
  });
});
