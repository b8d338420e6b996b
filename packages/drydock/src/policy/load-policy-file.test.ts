import { execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DrydockError } from "@drydock/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadPolicyFile } from "./load-policy-file.ts";
import { parsePolicyRequest } from "./parse-policy-request.ts";

let directory: string;
let file: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "drydock-policy-"));
  file = join(directory, "policy.yaml");
});
afterEach(() => rm(directory, { recursive: true, force: true }));

async function failToLoad(text: string | Uint8Array): Promise<DrydockError> {
  await writeFile(file, text);
  return catchError(() => loadPolicyFile(file));
}

async function catchError(run: () => unknown): Promise<DrydockError> {
  try {
    await run();
  } catch (error) {
    if (error instanceof DrydockError) return error;
    throw error;
  }
  throw new Error("It was accepted.");
}

describe("loadPolicyFile", () => {
  it("gives null where there is no file", async () => {
    expect(await loadPolicyFile(file)).toBeNull();
    expect(await loadPolicyFile(join(directory, "none", "policy.yaml"))).toBeNull();
  });

  it("reads values, ranges and where they stand", async () => {
    await writeFile(
      file,
      "version: 1\nnetwork:\n  allow: [a.org:443]\nlimits:\n  wallSeconds: { default: 10, max: 20 }\n",
    );
    const source = await loadPolicyFile(file);
    expect(source?.document).toEqual({
      version: 1,
      network: { allow: ["a.org:443"] },
      limits: { wallSeconds: { default: 10, max: 20 } },
    });
    expect(source?.positions["network.allow"]).toEqual({ line: 3, column: 3 });
    expect(source?.positions["network.allow.0"]).toEqual({ line: 3, column: 11 });
    expect(source?.positions["limits.wallSeconds.max"]).toEqual({ line: 5, column: 31 });
  });

  it.each(["", "\n", "# nothing yet\n", "---\n", "{}\n", "\uFEFF"])(
    "takes %j for a policy that says nothing",
    async (text) => {
      await writeFile(file, text);
      expect((await loadPolicyFile(file))?.document).toEqual({});
    },
  );

  it.each<[string, string, string, number, number]>([
    ["an unknown section", "version: 1\nlimit:\n  wallSeconds: 3\n", "limit: unknown key", 2, 1],
    ["an unknown key", "limits:\n  wallSecond: 3\n", "limits.wallSecond: unknown key", 2, 3],
    ["an unknown end of a range", "limits:\n  memoryMb: { maxi: 3 }\n", "limits.memoryMb.maxi: unknown key", 2, 15],
    ["text for a number", "limits:\n  wallSeconds: soon\n", "limits.wallSeconds: must be a number, not text", 2, 16],
    ["a number below zero", "limits:\n  memoryMb: -1\n", "limits.memoryMb:", 2, 13],
    ["a fraction of a process", "limits:\n  processes: 1.5\n", "limits.processes:", 2, 14],
    ["an endless limit", "limits:\n  wallSeconds: .inf\n", "limits.wallSeconds:", 2, 16],
    ["no number", "limits:\n  wallSeconds: .nan\n", "limits.wallSeconds:", 2, 16],
    ["text for a list", "network:\n  allow: a.org:443\n", "network.allow: must be a list, not text", 2, 10],
    [
      "a number in a list",
      "commands:\n  allow:\n    - ls\n    - 7\n",
      "commands.allow.1: must be text, not a number",
      4,
      7,
    ],
    ["an unknown word", "python:\n  guard: loose\n", "python.guard:", 2, 10],
    ["an empty section", "limits:\n", "limits: is empty; it must be a map of keys and values", 1, 8],
    ["a list for the whole", "- a\n", "must be a map of keys and values", 1, 1],
    ["text for the whole", "none\n", "must be a map of keys and values", 1, 1],
    ["another version", "version: 2\n", "version:", 1, 10],
    ["a host without port", "network:\n  allow: [a.org]\n", 'network.allow.0: "a.org" must be host:port', 2, 11],
    ["a path upwards", "files:\n  write: [../x]\n", "files.write.0:", 2, 11],
    [
      "a default above its max",
      "limits:\n  wallSeconds: { default: 9, max: 5 }\n",
      "limits.wallSeconds.default:",
      2,
      27,
    ],
    ["a toolchain without a place", "sandbox:\n  toolchains: [cargo]\n", "sandbox.toolchains.0:", 2, 16],
    ["a toolchain upwards", "sandbox:\n  toolchains: [~/a/../..]\n", "sandbox.toolchains.0:", 2, 16],
    ["a whole home as a toolchain", "sandbox:\n  toolchains: [~/]\n", "sandbox.toolchains.0:", 2, 16],
    ["keys as a toolchain", "sandbox:\n  toolchains: [~/.ssh]\n", "sandbox.toolchains.0:", 2, 16],
    ["the whole disk as a toolchain", "sandbox:\n  toolchains: [/]\n", "sandbox.toolchains.0:", 2, 16],
    ["no backend at all", "sandbox: { backends: [] }\n", "sandbox.backends:", 1, 22],
    ["an unknown check", "checks:\n  required:\n    - { type: lint }\n", '"lint" is not a check type', 3, 15],
    ["a check without type", "checks:\n  required:\n    - { cmd: ls }\n", "checks.required.0: has no type", 3, 7],
    ["a check's wrong field", "checks:\n  required:\n    - { type: command, path: x }\n", "needs cmd", 3, 7],
    [
      "a check's extra field",
      "checks:\n  required: [{ type: command, cmd: ls, x: 1 }]\n",
      "checks.required.0.x: unknown key",
      2,
      43,
    ],
    [
      "a check's wrong value",
      "checks:\n  required: [{ type: command, cmd: 3 }]\n",
      "must be text, not a number",
      2,
      36,
    ],
    ["a check that is a number", "checks:\n  required: [ls, 3]\n", "checks.required.1: must be a command line", 2, 18],
    ["an empty command", 'checks:\n  required: ["  "]\n', "the command line is empty", 2, 14],
    ["a check as bad JSON", "checks:\n  required: ['{ls']\n", "is not valid JSON", 2, 14],
    ["checks that are no list", "checks:\n  required: ls\n", "checks.required: must be a list, not text", 2, 13],
    ["bad YAML", "limits: [\n", "not valid YAML: the list has no closing ]", 2, 1],
    ["a tab as indentation", "limits:\n\twallSeconds: 3\n", "not valid YAML: a tab is used for indentation", 2, 1],
    ["a key given twice", "version: 1\nversion: 1\n", "not valid YAML: this key is there twice", 2, 1],
    ["an unknown tag", "version: !!python/object 1\n", "not valid YAML: the tag", 1, 10],
    ["two documents", "version: 1\n---\nversion: 1\n", "a second YAML document", 2, 1],
    ["an alias", "files:\n  hide: &a [x]\n  protect: *a\n", "aliases are not allowed", 3, 12],
    ["a merge key", "files: { <<: { access: false } }\n", "files.<<: unknown key", 1, 10],
    ["a key that is a list", "[a]: 1\n", "a key must be plain text", 1, 1],
    ["a key of every object", "__proto__: { x: 1 }\n", "__proto__: unknown key", 1, 1],
  ])("names file, line, column and key of %s", async (_, text, message, line, column) => {
    const error = await failToLoad(text);
    expect(error.code).toBe("policy.invalid");
    expect(error.message).toContain(`${file}:${line}:${column}: `);
    expect(error.message).toContain(message);
    expect(error.data).toMatchObject({ file, line, column });
    expect(error.hint).not.toBe("");
  });

  it("suggests the key that was probably meant, and lists those there are", async () => {
    expect((await failToLoad("limits: { wallsecond: 3 }\n")).hint).toMatch(
      /^Did you mean limits\.wallSeconds\? The keys here are .*cpuSeconds/,
    );
    expect((await failToLoad("netwrok: {}\n")).hint).toContain("Did you mean network?");
    expect((await failToLoad("zzz: {}\n")).hint).toMatch(/^The keys here are version, files/);
  });

  it("counts what else is wrong", async () => {
    const error = await failToLoad("a: 1\nb: 2\n");
    expect(error.message).toContain("(and 1 more)");
    expect(error.data.problems).toHaveLength(2);
  });

  it("refuses an alias bomb, a deep nest and a huge file at once", async () => {
    const bomb = Array.from({ length: 30 }, (_, i) => `k${i}: &a${i} [${i ? `*a${i - 1},*a${i - 1}` : "x"}]`).join(
      "\n",
    );
    expect((await failToLoad(bomb)).code).toBe("policy.invalid");
    expect((await failToLoad("[".repeat(100_000))).code).toBe("policy.invalid");
    expect((await failToLoad(`# ${"x".repeat(300_000)}`)).message).toContain("larger than");
  });

  it("refuses what is no text, no file, or no longer there", async () => {
    expect((await failToLoad(Uint8Array.of(0xff, 0xfe, 0x00))).code).toBe("policy.invalid");
    await mkdir(join(directory, "folder"));
    expect((await catchError(() => loadPolicyFile(join(directory, "folder")))).message).toContain("can't be read");
    await symlink(join(directory, "gone"), join(directory, "link"));
    expect((await catchError(() => loadPolicyFile(join(directory, "link")))).message).toContain("can't be read");
    execFileSync("/usr/bin/mkfifo", [join(directory, "pipe")]);
    expect((await catchError(() => loadPolicyFile(join(directory, "pipe")))).message).toContain("not a regular file");
    expect((await catchError(() => loadPolicyFile("/dev/zero"))).message).toContain("not a regular file");
    expect((await catchError(() => loadPolicyFile(join(file, "below")))).code).toBe("policy.invalid");
  });

  it.skipIf(process.getuid?.() === 0)("refuses a file that it may not read", async () => {
    await writeFile(file, "version: 1\n");
    await chmod(file, 0o000);
    expect((await catchError(() => loadPolicyFile(file))).code).toBe("policy.invalid");
  });
});

describe("parsePolicyRequest", () => {
  it("takes a partial policy", () => {
    expect(parsePolicyRequest({ limits: { wallSeconds: 5 } })).toEqual({ limits: { wallSeconds: 5 } });
  });

  it.each([
    [{ limits: { wallSecs: 5 } }, "limits.wallSecs: unknown key"],
    [{ limits: { wallSeconds: "5" } }, "limits.wallSeconds: must be a number, not text"],
    [{ network: { allow: ["a.org"] } }, "network.allow.0:"],
    [{ network: { allow: { max: ["a.org:1", "b"] } } }, "network.allow.max.1:"],
    [null, "policy: is empty; it must be a map"],
    [[], "policy: must be a map of keys and values, not a list"],
  ])("refuses %j by key", async (value, message) => {
    const error = await catchError(() => parsePolicyRequest(value));
    expect(error.code).toBe("policy.invalid");
    expect(error.message).toContain(message);
  });
});
