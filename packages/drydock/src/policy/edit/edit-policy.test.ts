import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadPolicyFile } from "../load-policy-file.ts";
import { resolvePolicy } from "../resolve-policy.ts";
import { allowInPolicyFile, denyInPolicyFile, setInPolicyFile, unsetInPolicyFile } from "./index.ts";
import { openPolicy, savePolicy, setNode } from "./policy-file.ts";

let directory: string;
let file: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "drydock-policy-"));
  file = join(directory, "home", "policy.yaml");
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const write = async (text: string) => {
  file = join(directory, "policy.yaml");
  await writeFile(file, text);
};
const read = () => readFile(file, "utf8");
const resolve = async () => resolvePolicy({ home: await loadPolicyFile(file) });

describe("allowInPolicyFile", () => {
  it("creates a file that only its owner can read, and leaves nothing else behind", async () => {
    const edit = await allowInPolicyFile(file, "network", ["a.org:443", "*.b.org:443", "a.org:443"]);
    expect(edit).toEqual({ file, added: ["a.org:443", "*.b.org:443"], already: [], stopped: [] });
    expect(await read()).toBe('version: 1\nnetwork:\n  allow: [ a.org:443, "*.b.org:443" ]\n');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(join(directory, "home"))).toEqual(["policy.yaml"]);
    expect((await resolve()).effective.network.allow).toEqual(["a.org:443", "*.b.org:443"]);
  });

  it("keeps comments, order and what is already there", async () => {
    await write(
      "# mine\nlimits: { wallSeconds: 5 } # short\nnetwork:\n  # trusted\n  allow:\n    - a.org:443 # first\n",
    );
    await allowInPolicyFile(file, "network", ["b.org:443"]);
    expect(await read()).toBe(
      "# mine\nlimits: { wallSeconds: 5 } # short\nnetwork:\n  # trusted\n  allow:\n    - a.org:443 # first\n    - b.org:443\n",
    );
  });

  it("keeps the system's list when it adds the first variable", async () => {
    await allowInPolicyFile(file, "environment", ["HOME"]);
    const { effective } = await resolve();
    expect(effective.environment.allow).toEqual([...resolvePolicy({}).effective.environment.allow, "HOME"]);
  });

  it("takes no other command away, where every command was allowed", async () => {
    expect(await allowInPolicyFile(file, "command", ["make"])).toMatchObject({ added: [], already: ["make"] });
    expect((await resolve()).effective.commands.allow).toEqual(["*"]);
    await write("commands: { allow: [ls] }\n");
    await allowInPolicyFile(file, "command", ["make", "npm install *"]);
    expect((await resolve()).effective.commands.allow).toEqual(["ls", "make", "npm install *"]);
  });

  it("writes nothing that is allowed already", async () => {
    const edit = await allowInPolicyFile(file, "command", ["ls -l"]);
    expect(edit).toEqual({ file, added: [], already: ["ls -l"], stopped: [] });
    expect(await loadPolicyFile(file)).toBeNull();
    expect((await allowInPolicyFile(file, "write", ["src/**"])).already).toEqual(["src/**"]);
    expect((await allowInPolicyFile(file, "import", ["numpy"])).already).toEqual(["numpy"]);
  });

  it("names a protected directory that stops all below it", async () => {
    await denyInPolicyFile(file, "write", ["src"]);
    for (const entry of ["src/**", "src/", "src/a/*.py", "src/a.py"]) {
      expect((await allowInPolicyFile(file, "write", [entry])).stopped).toMatchObject([{ entry, by: "src" }]);
    }
    expect((await allowInPolicyFile(file, "write", ["sources/**", "*.py", "**"])).stopped).toEqual([]);
  });

  it("takes what it allows off the list of what is denied, and names what still stops it", async () => {
    await write('commands: { deny: [curl, "git *"] }\nfiles: { protect: [docs/**] }\n');
    expect(await allowInPolicyFile(file, "command", ["curl"])).toMatchObject({ added: ["curl"], stopped: [] });
    expect((await resolve()).effective.commands).toEqual({ allow: ["*"], deny: ["git *"] });
    expect((await allowInPolicyFile(file, "command", ["git push"])).stopped).toEqual([
      { entry: "git push", key: "commands.deny", by: "git *" },
    ]);
    expect((await allowInPolicyFile(file, "write", [".git/**"])).stopped).toMatchObject([{ by: ".git/**" }]);
    expect((await allowInPolicyFile(file, "write", ["app/.env"])).stopped).toEqual([
      { entry: "app/.env", key: "files.hide", by: "**/.env" },
    ]);
    await allowInPolicyFile(file, "write", ["docs/**"]);
    expect((await resolve()).effective.files.protect).toEqual([".git/**", ".drydock/**"]);
  });

  it("raises only the max where the owner keeps default and max apart", async () => {
    await write("network: { allow: { default: [], max: [a.org:1] } }\n");
    await allowInPolicyFile(file, "network", ["b.org:2"]);
    const { effective, ceiling } = await resolve();
    expect(effective.network.allow).toEqual([]);
    expect(ceiling.network.allow).toEqual(["a.org:1", "b.org:2"]);
  });

  it("takes an import off the blocked ones and puts it on a list that names some", async () => {
    await write("python:\n  imports: { allow: [numpy], block: [requests, os] }\n");
    expect((await allowInPolicyFile(file, "import", ["requests"])).added).toEqual(["requests"]);
    expect((await resolve()).effective.python.imports).toEqual({ allow: ["numpy", "requests"], block: ["os"] });
  });

  it("keeps the comments of a file that held nothing else", async () => {
    await write("# my policy\n");
    await allowInPolicyFile(file, "environment", ["HOME"]);
    expect(await read()).toMatch(/^# my policy\n\nversion: 1\nenvironment:\n/);
    expect((await resolve()).effective.environment.allow).toEqual(["LANG", "LC_*", "TZ", "HOME"]);
  });

  it("writes through a link rather than in its place", async () => {
    await write("version: 1\n");
    const link = join(directory, "link.yaml");
    await symlink(file, link);
    await allowInPolicyFile(link, "network", ["a.org:1"]);
    expect(await read()).toContain("a.org:1");
  });

  it.each<["network" | "command" | "environment" | "write" | "import", string]>([
    ["network", "a.org"],
    ["network", "https://a.org:443"],
    ["command", " "],
    ["environment", "A B"],
    ["write", "../x"],
    ["import", "os system"],
  ])("refuses a bad entry: %s %j", async (kind, value) => {
    await expect(allowInPolicyFile(file, kind, [value])).rejects.toMatchObject({ code: "input.invalid" });
    expect(await loadPolicyFile(file)).toBeNull();
  });

  it("does not touch a file that is not valid", async () => {
    await write("limits: { wall: 3 }\n");
    await expect(allowInPolicyFile(file, "network", ["a.org:1"])).rejects.toMatchObject({ code: "policy.invalid" });
    expect(await read()).toBe("limits: { wall: 3 }\n");
  });
});

describe("denyInPolicyFile", () => {
  it("takes away one command, whether a list names it or not", async () => {
    expect(await denyInPolicyFile(file, "command", ["curl", "curl"])).toEqual({ file, denied: ["curl"], already: [] });
    expect((await resolve()).effective.commands).toEqual({ allow: ["*"], deny: ["curl"] });
    expect((await denyInPolicyFile(file, "command", ["curl"])).already).toEqual(["curl"]);
    await write("commands:\n  allow: [ls, curl, make] # mine\n");
    expect(await denyInPolicyFile(file, "command", ["curl", "rm"])).toMatchObject({
      denied: ["curl"],
      already: ["rm"],
    });
    expect(await read()).toBe("commands:\n  allow: [ ls, make ] # mine\n");
  });

  it("protects paths, blocks imports and takes hosts and variables off their lists", async () => {
    await write("network: { allow: { default: [a.org:1], max: [a.org:1, b.org:2] } }\n");
    await denyInPolicyFile(file, "write", ["docs/**"]);
    await denyInPolicyFile(file, "import", ["os"]);
    await denyInPolicyFile(file, "network", ["a.org:1"]);
    await denyInPolicyFile(file, "environment", ["TZ"]);
    const { effective, ceiling } = await resolve();
    expect(effective.files).toMatchObject({ write: ["**"], protect: [".git/**", ".drydock/**", "docs/**"] });
    expect(effective.python.imports).toEqual({ allow: [], block: ["os"] });
    expect([effective.network.allow, ceiling.network.allow]).toEqual([[], ["b.org:2"]]);
    expect(effective.environment.allow).toEqual(["LANG", "LC_*"]);
  });

  it("refuses what a wider entry allows, and names that entry", async () => {
    await write('network: { allow: ["*.b.org:443"] }\n');
    const denial = denyInPolicyFile(file, "network", ["a.b.org:443"]);
    await expect(denial).rejects.toMatchObject({
      code: "input.invalid",
      hint: expect.stringContaining("drydock policy deny network '*.b.org:443'"),
    });
    await expect(denyInPolicyFile(file, "hosts", ["a.org:1"])).rejects.toMatchObject({ code: "input.invalid" });
    expect(await read()).toBe('network: { allow: ["*.b.org:443"] }\n');
  });

  it("puts back a protection that the owner had lifted", async () => {
    await write('files: { protect: ["!.drydock/**"] }\n');
    expect((await denyInPolicyFile(file, "write", [".drydock/**"])).denied).toEqual([".drydock/**"]);
    expect((await resolve()).effective.files.protect).toEqual([".git/**", ".drydock/**"]);
    expect((await denyInPolicyFile(file, "write", [".git/**"])).already).toEqual([".git/**"]);
  });
});

describe("unsetInPolicyFile", () => {
  it("removes one value and nothing else", async () => {
    await write("# mine\nlimits:\n  wallSeconds: 5\n  memoryMb: 64 # small\nnetwork: { allow: [a.org:1] }\n");
    expect(await unsetInPolicyFile(file, "limits.wallSeconds")).toMatchObject({
      written: true,
      before: { default: 5, ceiling: 5 },
      after: { default: 300, ceiling: 3600 },
    });
    await unsetInPolicyFile(file, "network.allow");
    expect(await read()).toBe("# mine\nlimits:\n  memoryMb: 64 # small\n");
    expect(await unsetInPolicyFile(file, "limits.wallSeconds")).toMatchObject({ written: false });
    await expect(unsetInPolicyFile(file, "limits")).rejects.toMatchObject({ code: "input.invalid" });
  });

  it("removes one end of a range and keeps the other", async () => {
    await write("limits: { wallSeconds: { default: 5, max: 50 }, memoryMb: 64 }\n");
    await unsetInPolicyFile(file, "limits.wallSeconds.max");
    await unsetInPolicyFile(file, "limits.memoryMb.default");
    const { effective, ceiling } = await resolve();
    expect([effective.limits.wallSeconds, ceiling.limits.wallSeconds]).toEqual([5, 3600]);
    expect([effective.limits.memoryMb, ceiling.limits.memoryMb]).toEqual([64, 64]);
  });
});

describe("setInPolicyFile", () => {
  it("sets values, ends of ranges and lists from text", async () => {
    await setInPolicyFile(file, "limits.wallSeconds.max", "7200");
    await setInPolicyFile(file, "limits.memoryMb", "2048");
    await setInPolicyFile(file, "limits.memoryMb.max", 9000);
    await setInPolicyFile(file, "python.guard", "strict");
    await setInPolicyFile(file, "sandbox.backends", '["namespaces", "unconfined"]');
    const { effective, ceiling } = await resolve();
    expect([effective.limits.wallSeconds, ceiling.limits.wallSeconds]).toEqual([300, 7200]);
    expect([effective.limits.memoryMb, ceiling.limits.memoryMb]).toEqual([2048, 9000]);
    expect([effective.python.guard, ceiling.python.guard]).toEqual(["strict", "off"]);
    expect(effective.sandbox.backends).toEqual(["namespaces", "unconfined"]);
  });

  it("sets the default and never lowers a ceiling that nobody named", async () => {
    const change = await setInPolicyFile(file, "limits.wallSeconds", "2");
    expect([change.before, change.after]).toEqual([
      { default: 300, ceiling: 3600 },
      { default: 2, ceiling: 3600 },
    ]);
    await write("limits: { wallSeconds: 50, memoryMb: { max: 2048 } }\nnetwork: { allow: [a.org:1] }\n");
    await setInPolicyFile(file, "limits.wallSeconds", "2");
    await setInPolicyFile(file, "limits.memoryMb", "1024");
    await setInPolicyFile(file, "network.allow", "[b.org:2]");
    const { effective, ceiling } = await resolve();
    expect([effective.limits.wallSeconds, ceiling.limits.wallSeconds]).toEqual([2, 50]);
    expect([effective.limits.memoryMb, ceiling.limits.memoryMb]).toEqual([1024, 2048]);
    expect([effective.network.allow, ceiling.network.allow]).toEqual([["b.org:2"], ["a.org:1", "b.org:2"]]);
  });

  it("raises the ceiling with the default, and lowers the default with the ceiling", async () => {
    await write("limits: { wallSeconds: { default: 5, max: 50 } }\n");
    expect((await setInPolicyFile(file, "limits.wallSeconds", 60)).after).toEqual({ default: 60, ceiling: 60 });
    expect((await setInPolicyFile(file, "limits.wallSeconds.max", 10)).after).toEqual({ default: 10, ceiling: 10 });
    expect((await setInPolicyFile(file, "limits.cpuSeconds", 9000)).after).toEqual({ default: 9000, ceiling: 9000 });
  });

  it("adds to lists of what is denied or required, and takes nothing off them", async () => {
    await write("files:\n  hide: [a.key] # mine\nchecks:\n  required:\n    - { type: file_exists, path: LICENSE }\n");
    await setInPolicyFile(file, "files.hide", "[b.key, a.key]");
    await setInPolicyFile(file, "checks.required", "[pytest -q]");
    expect(await read()).toContain("hide: [ a.key, b.key ] # mine");
    expect((await resolve()).effective.checks.required).toHaveLength(2);
  });

  it("keeps the comment beside a value that changes", async () => {
    await write("limits:\n  wallSeconds: 5 # short\n  memoryMb: 64\n");
    await setInPolicyFile(file, "limits.wallSeconds", 6);
    expect(await read()).toBe("limits:\n  wallSeconds: 6 # short\n  memoryMb: 64\n");
  });

  it.each<[string, unknown, string]>([
    ["limits.wallSecond", 5, "input.invalid"],
    ["limits", 5, "input.invalid"],
    ["sandbox.level.max", "landlock", "input.invalid"],
    ["limits.wallSeconds", "[", "input.invalid"],
    ["limits.wallSeconds", "soon", "policy.invalid"],
    ["limits.wallSeconds", -1, "policy.invalid"],
    ["network.allow", "[a.org]", "policy.invalid"],
  ])("refuses %s %j and writes nothing", async (key, value, code) => {
    await write("version: 1\n");
    await expect(setInPolicyFile(file, key, value)).rejects.toMatchObject({ code });
    expect(await read()).toBe("version: 1\n");
    expect(await readdir(directory)).toEqual(["policy.yaml"]);
  });
});

describe("savePolicy", () => {
  it("leaves a file that somebody changed meanwhile as it is, and refuses the edit", async () => {
    await write("version: 1\n");
    const policy = await openPolicy(file);
    await write("network: { allow: [mine.org:443] }\n");
    setNode(policy, ["network", "allow"], ["theirs.org:443"]);
    await expect(savePolicy(file, policy)).rejects.toMatchObject({
      code: "policy.invalid",
      message: expect.stringContaining("another program changed it"),
    });
    expect(await read()).toBe("network: { allow: [mine.org:443] }\n");
    expect(await readdir(directory)).toEqual(["policy.yaml"]);
  });
});
