import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { allowInPolicyFile, setInPolicyFile } from "./edit-policy-file.ts";
import { loadPolicyFile } from "./load-policy-file.ts";
import { resolvePolicy } from "./resolve-policy.ts";

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
    expect(edit).toEqual({ file, added: ["a.org:443", "*.b.org:443"], already: [] });
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

  it("keeps the system's list when it adds the first command", async () => {
    await allowInPolicyFile(file, "command", ["curl", "npm install *"]);
    const { effective } = await resolve();
    expect(effective.commands.allow).toEqual([...resolvePolicy({}).effective.commands.allow, "curl", "npm install *"]);
  });

  it("writes nothing that is allowed already", async () => {
    const edit = await allowInPolicyFile(file, "command", ["ls -l"]);
    expect(edit).toEqual({ file, added: [], already: ["ls -l"] });
    expect(await loadPolicyFile(file)).toBeNull();
    expect((await allowInPolicyFile(file, "write", ["src/**"])).already).toEqual(["src/**"]);
    expect((await allowInPolicyFile(file, "import", ["numpy"])).already).toEqual(["numpy"]);
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
    expect(ceiling.python.guard).toBe("strict");
    expect(effective.sandbox.backends).toEqual(["namespaces", "unconfined"]);
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
