import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openAttackDock } from "../testing/attack-dock.ts";
import { openAtTerminal } from "../wrap/testing/at-terminal.ts";

const attackDock = openAttackDock();

const LIMITS = { limits: { wallSeconds: 60, memoryMb: 256, diskMb: 64, processes: 64 } };

async function attack(command: string[], workspace = attackDock.makeWorkspace({ "a.txt": "one\n" })) {
  const outputs: string[] = [];
  const options = { command, workspace, policy: LIMITS, onOutput: ({ text }: { text: string }) => outputs.push(text) };
  const result = await attackDock.dock.wraps.run(options);
  return { result, output: outputs.join(""), workspace };
}

/** Tries something of the terminal that it is on, from Python. */
async function attackTerminal(code: string): Promise<string> {
  const workspace = attackDock.makeWorkspace({ "attack.py": code });
  const at = await openAtTerminal(attackDock.dock, { command: ["python3", "attack.py"], workspace, policy: LIMITS });
  await at.result;
  return at.shown;
}

describe("a wrapped program", () => {
  it("can't type into any terminal (TIOCSTI, TIOCLINUX), nor put a driver behind its own", async () => {
    const shown = await attackTerminal(`
import fcntl, os, termios
for name, number, argument in (("sti", termios.TIOCSTI, b"x"), ("linux", 0x541C, b"\\x02"), ("setd", 0x5423, b"\\x05\\0\\0\\0")):
    try:
        fcntl.ioctl(0, number, argument)
        print(name, "worked")
    except OSError as error:
        print(name, "refused", error.errno)
`);
    expect(shown).toMatch(/sti refused/);
    expect(shown).toMatch(/linux refused/);
    expect(shown).toMatch(/setd refused/);
    expect(shown).not.toContain("worked");
  });

  it("sees no terminal but its own: not those of the host, nor of another wrap", async () => {
    const other = await openAtTerminal(attackDock.dock, {
      command: ["bash", "--norc"],
      workspace: attackDock.makeWorkspace({}),
      policy: LIMITS,
    });
    const shown = await attackTerminal(`
import glob, os
print("terminals", sorted(glob.glob("/dev/pts/*")))
print("own", os.ttyname(0), os.ttyname(1))
for path in ("/dev/pts/1", "/dev/tty0", "/dev/console", "/dev/vcs", "/dev/ttyS0"):
    try:
        os.close(os.open(path, os.O_RDWR))
        print("opened", path)
    except OSError as error:
        pass
print("descriptors", sorted(os.listdir("/proc/self/fd")))
print("others", [pid for pid in os.listdir("/proc") if pid.isdigit() and int(pid) > 20])
`);
    other.type("exit\r");
    await other.result;
    expect(shown).toContain("terminals ['/dev/pts/0', '/dev/pts/ptmx']");
    expect(shown).toContain("own /dev/pts/0 /dev/pts/0");
    expect(shown).not.toContain("opened");
    // Standard streams, and the listing itself.
    expect(shown).toMatch(/descriptors \['0', '1', '2', '3'\]/);
  });

  it("can't reach its warden's end of the terminal, nor change its size into the host's", async () => {
    const shown = await attackTerminal(`
import os
for number in range(3, 64):
    try:
        os.fstat(number)
        print("open", number, os.readlink("/proc/self/fd/%d" % number))
    except OSError:
        pass
try:
    print("warden", os.listdir("/proc/1/fd"))
except OSError as error:
    print("hidden", error.errno)
`);
    expect(shown).not.toMatch(/open \d+ (?!\/proc)/);
    expect(shown).toContain("hidden");
  });

  it("does not see the user's home, Drydock's home or other programs' homes", async () => {
    await attack(["sh", "-c", "echo secret-of-sh > ~/token"]);
    const places = [homedir(), attackDock.host, "/root", "/home", "/etc/shadow"].map((each) => `'${each}'`).join(" ");
    const { output } = await attack([
      "bash",
      "-c",
      `ls -aR ${places} 2>&1; cat ~/../*/token ${attackDock.host}/canary.txt 2>&1`,
    ]);
    expect(output).not.toContain(attackDock.canary);
    expect(output).not.toContain("secret-of-sh");
  });

  it("of a workspace has a home of its own, whatever it is called", async () => {
    await attack(["sh", "-c", "echo secret-of-sh > ~/token"]);
    const workspace = attackDock.makeWorkspace({ sh: "#!/bin/bash\ncat ~/token; echo mine >> ~/kept; cat ~/kept\n" });
    chmodSync(join(workspace, "sh"), 0o755);
    const { output } = await attack([join(workspace, "sh")], workspace);
    expect(output).toContain("mine");
    expect(output).not.toContain("secret-of-sh");
    // It lasts, as other homes do.
    expect((await attack([join(workspace, "sh")], workspace)).output).toContain("mine\nmine");
    expect((await attack(["./sh"], workspace)).output).toContain("mine\nmine\nmine");
  });

  it("leaves nothing in its home that runs with anybody's rights, and links there lead nowhere outside", async () => {
    const command = [
      "bash",
      "-c",
      "cp /bin/sh ~/sh; chmod 6755 ~/sh; ln -s /etc/passwd ~/passwd; ln -s / ~/root; echo made",
    ];
    const { output } = await attack(command);
    expect(output).toContain("made");
    const homes = join(attackDock.dock.home, "wraps", "homes");
    const made = lstatSync(join(homes, "bash", "sh"));
    expect(made.uid === process.getuid?.() && made.uid === 0).toBe(false);
    expect(statSync(join(attackDock.dock.home, "wraps")).mode & 0o077).toBe(0);
    expect(readdirSync(join(homes, "bash")).sort()).toEqual(expect.arrayContaining(["passwd", "root", "sh"]));
  });

  it("can't be given a home that is a link", async () => {
    const homes = join(attackDock.dock.home, "wraps", "homes");
    mkdirSync(homes, { recursive: true });
    symlinkSync(attackDock.host, join(homes, "linked"));
    const workspace = attackDock.makeWorkspace({});
    const linked = await attackDock.dock.wraps.run({ command: ["ls"], workspace, home: "linked" });
    expect(linked).toMatchObject({ error: { code: "input.invalid" }, exitCode: null });
    const away = attackDock.dock.wraps.run({ command: ["ls"], workspace, home: "../../outside" });
    await expect(away).rejects.toMatchObject({ code: "input.invalid" });
  });

  it("can't write through links of the workspace, and links that lead out of it are not delivered", async () => {
    const workspace = attackDock.makeWorkspace({ "a.txt": "one\n" });
    const outside = join(attackDock.host, "outside.txt");
    writeFileSync(outside, "outside\n");
    symlinkSync(outside, join(workspace, "out"));
    const command = [
      "sh",
      "-c",
      "echo attacked > out; rm a.txt; ln -s /etc/passwd a.txt; rm -rf out; mkdir out; echo x > out/y",
    ];
    const { result } = await attack(command, workspace);
    await expect(attackDock.dock.runs.apply(result.runId)).rejects.toMatchObject({ code: "policy.path_denied" });
    expect(readFileSync(outside, "utf8")).toBe("outside\n");
    expect(readFileSync(join(workspace, "a.txt"), "utf8")).toBe("one\n");
    expect(lstatSync(join(workspace, "out")).isSymbolicLink()).toBe(true);
  });

  it("can't have a rewind write through links that it puts in the way", async () => {
    const workspace = attackDock.makeWorkspace({ "dir/a.txt": "one\n" });
    const at = await openAtTerminal(attackDock.dock, { command: ["bash", "--norc"], workspace, policy: LIMITS });
    at.type("rm -r dir; ln -s /home/dock dir; echo ready-$((1+1))\r");
    await at.sees("ready-2");
    await at.handle.rewind(0);
    at.type("ls -ld dir; ls ~; cat dir/a.txt; exit\r");
    await at.sees("drwx");
    await at.result;
    expect(at.shown).not.toContain("/home/dock/a.txt");
    expect(readFileSync(join(workspace, "dir/a.txt"), "utf8")).toBe("one\n");
  });

  it("has no way out but the proxy", async () => {
    const code =
      "import socket\ntry:\n socket.create_connection(('192.0.2.1', 80), 2); print('connected')\nexcept OSError as e: print('refused', e)";
    const { output, result } = await attack(["python3", "-c", code]);
    expect(output).toContain("refused");
    expect(result.network.connected).toEqual([]);
  });
});
