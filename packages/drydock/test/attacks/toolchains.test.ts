import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createDock, type Dock } from "drydock";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const place = realpathSync(mkdtempSync(join(tmpdir(), "drydock-toolchains-")));
const home = join(place, "home");
const tools = join(place, ".cargo");
const SECRET = "token-of-the-owner";
let dock: Dock;

const write = (path: string, text: string, mode = 0o644) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, mode);
};
const setToolchains = (...entries: string[]) =>
  write(join(home, "policy.yaml"), `version: 1\nsandbox:\n  toolchains: ${JSON.stringify(entries)}\n`);

beforeAll(async () => {
  write(join(tools, "bin/owners-tool"), '#!/bin/sh\necho "tool of the owner"\n', 0o755);
  write(join(tools, "credentials.toml"), SECRET, 0o600);
  write(join(tools, "registry/private.crate"), SECRET);
  write(join(tools, "share/keyrings/login"), SECRET);
  symlinkSync("../credentials.toml", join(tools, "bin/up"));
  symlinkSync(join(tools, "credentials.toml"), join(tools, "bin/out"));
  symlinkSync("registry", join(tools, "lib"));
  mkdirSync(home, { mode: 0o700 });
  setToolchains(tools);
  dock = await createDock({ home, warm: 1 });
});
afterAll(async () => {
  await dock.close();
  rmSync(place, { recursive: true, force: true });
});

const bash = (code: string, options = {}) => dock.exec({ language: "bash", code, ...options });

describe("a toolchain of the owner's", () => {
  it("has its programs on the PATH, in every kind of run", async () => {
    expect((await dock.exec({ command: ["owners-tool"] })).stdout).toBe("tool of the owner\n");
    const workspace = mkdtempSync(join(place, "work-"));
    const { verdict } = await dock.verify({ workspace, checks: [{ type: "command", cmd: "owners-tool" }] });
    expect(verdict).toBe("passed");
    const session = await dock.sessions.open({ workspace });
    const step = await session.exec("import subprocess\nsubprocess.check_output('owners-tool', text=True)");
    expect(step.result).toBe("tool of the owner\n");
    await session.close();
  });

  it("shows no file beside its programs: no credentials, no links to them", async () => {
    const { stdout, stderr } = await bash(
      "find /opt/toolchains; cat /opt/toolchains/cargo/bin/up /opt/toolchains/cargo/bin/out /opt/toolchains/cargo/../cargo/credentials.toml",
    );
    expect(stdout.split("\n").sort()).toEqual([
      "",
      ...["", "/cargo", "/cargo/bin", "/cargo/bin/out", "/cargo/bin/owners-tool", "/cargo/bin/up"].map(
        (path) => `/opt/toolchains${path}`,
      ),
    ]);
    expect(stdout + stderr).not.toContain(SECRET);
  });

  it("can't be written to", async () => {
    const { stdout } = await bash(
      "echo x > /opt/toolchains/cargo/bin/owners-tool || mv /opt/toolchains/cargo /opt/toolchains/other || touch /opt/toolchains/cargo/bin/new || echo refused",
    );
    expect(stdout).toBe("refused\n");
  });

  it("does not take the place of what Drydock starts itself", async () => {
    for (const name of ["python3", "bash"]) write(join(tools, "bin", name), "#!/bin/sh\nexit 0\n", 0o755);
    const workspace = mkdtempSync(join(place, "work-"));
    const judge = async (cmd: string) => (await dock.verify({ workspace, checks: [{ type: "command", cmd }] })).verdict;
    const verdicts = [await judge("false"), await judge("true")];
    for (const name of ["python3", "bash"]) rmSync(join(tools, "bin", name));
    expect(verdicts).toEqual(["failed", "passed"]);
  });
});

describe("only the owner names toolchains", () => {
  it("a request can't", async () => {
    const { error } = await bash("owners-tool", { policy: { sandbox: { toolchains: [place] } } });
    expect(error?.code).toBe("policy.path_denied");
  });

  it("the policy of a workspace can't", async () => {
    const workspace = mkdtempSync(join(place, "work-"));
    write(join(workspace, ".drydock/policy.yaml"), `version: 1\nsandbox:\n  toolchains: [${place}]\n`);
    expect((await bash("owners-tool", { workspace })).error?.code).toBe("policy.invalid");
  });

  it("and a workspace that holds one does not bring it along", async () => {
    const { error, notes } = await bash("owners-tool", { workspace: place });
    expect(error?.exitCode).toBe(127);
    expect(notes).toEqual([expect.stringContaining("it lies in the workspace, or around it")]);
  });
});

describe("what is no toolchain", () => {
  const refused = async (...entries: string[]) => {
    setToolchains(...entries);
    const { error } = await bash("true");
    setToolchains(tools);
    return error;
  };

  it.each([
    ["the home of the user", () => homedir()],
    ["what holds it", () => dirname(homedir())],
    ["Drydock's own home", () => home],
    ["what lies in it", () => join(home, "cache")],
    ["a link to Drydock's own home", () => join(place, "link")],
    ["a directory of keys", () => join(place, "user/.ssh")],
    ["the state of other programs", () => join(place, "user/.config/thing")],
    ["the system's settings", () => "/etc/ssl"],
  ])("%s is refused, and nothing runs", async (_name, path) => {
    for (const each of ["user/.ssh", "user/.config/thing", "home/cache"])
      mkdirSync(join(place, each), { recursive: true });
    rmSync(join(place, "link"), { force: true });
    symlinkSync(home, join(place, "link"));
    expect(await refused(path())).toMatchObject({ code: "policy.invalid" });
  });

  it("a directory that is not there, or has no programs, is left out with a note", async () => {
    mkdirSync(join(place, "empty"), { recursive: true });
    setToolchains(join(place, "gone"), join(place, "empty"), tools);
    const { stdout, notes } = await bash("owners-tool");
    setToolchains(tools);
    expect(stdout).toBe("tool of the owner\n");
    expect(notes).toEqual([
      `toolchain ${place}/gone is not used: there is no such directory`,
      `toolchain ${place}/empty is not used: it has no directory bin`,
    ]);
  });
});
