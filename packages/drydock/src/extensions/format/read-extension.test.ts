import { rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commandsOf, MANIFEST, useLint } from "../testing/use-lint.ts";
import { readExtension } from "./read-extension.ts";

const { write, lint } = useLint();
const lintAction = (lines: string) => lint({ "commands.yaml": commandsOf(lines) });
const lintManifest = (lines: string) => lint({ "extension.yaml": `${MANIFEST}${lines}` });

describe("an extension's directory", () => {
  it("is read with the values that were left out", async () => {
    const reading = await readExtension(await write({}));
    if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
    expect(reading.problems).toEqual([]);
    expect(reading.extension.manifest.permissions.paths).toEqual({ read: [], write: [] });
    expect(reading.extension.commands[0]?.actions[0]).toMatchObject({ risk: "low", timeoutSeconds: 300, flags: [] });
    expect(reading.extension.usage).toBe("# /demo say\n");
  });

  it("has another hash as soon as a byte, a name or an executable bit changes", async () => {
    const hashes = new Set<string>();
    const variants: Record<string, string>[] = [
      {},
      { "tools/a": "1" },
      { "tools/a": "2" },
      { "tools/b": "2" },
      { "docs/USAGE.md": "/demo" },
    ];
    for (const files of variants) {
      const reading = await readExtension(await write(files));
      if (reading.ok) hashes.add(reading.extension.hash);
    }
    expect(hashes.size).toBe(5);
  });

  it("has the same hash wherever it lies", async () => {
    const [one, two] = [await readExtension(await write({})), await readExtension(await write({}))];
    expect(one.ok && two.ok && one.extension.hash === two.extension.hash).toBe(true);
  });

  it("must hold all of its three documents", async () => {
    const directory = await write({});
    for (const file of ["extension.yaml", "commands.yaml", "docs/USAGE.md"]) await rm(join(directory, file));
    const { ok, problems } = await readExtension(directory);
    expect(ok).toBe(false);
    expect(problems.map(({ file, message }) => `${file} ${message}`)).toEqual([
      "extension.yaml is missing",
      "commands.yaml is missing",
      "docs/USAGE.md is missing",
    ]);
  });

  it("must not hold a link, wherever that leads", async () => {
    const directory = await write({});
    await symlink("/etc/passwd", join(directory, "tools"));
    const { ok, problems } = await readExtension(directory);
    expect(ok).toBe(false);
    expect(problems).toMatchObject([{ file: "tools", message: expect.stringContaining("symbolic link") }]);
  });

  it("must not hold names that only some systems tell apart", async () => {
    expect(await lint({ "a/X": "1", "A/x": "2" })).toContainEqual(expect.stringContaining("only in its case"));
  });
});

describe("YAML of an extension", () => {
  it("that unfolds into more than any machine holds is refused at once", async () => {
    const bomb = Array.from({ length: 30 }, (_, at) => `k${at}: &a${at} [${`*a${at - 1},`.repeat(at && 9)} x]`).join(
      "\n",
    );
    expect(await lint({ "extension.yaml": bomb })).toEqual([expect.stringContaining("aliases are not allowed")]);
  });

  it("that is nested thousands of levels deep is refused, and does not end the process", async () => {
    const [problem] = await lint({ "commands.yaml": "[".repeat(20_000) });
    expect(problem).toMatch(/^commands.yaml:.*not valid YAML/);
  });

  it("that is too large is not even parsed", async () => {
    expect(await lint({ "commands.yaml": `# ${"x".repeat(300_000)}` })).toContain(
      "commands.yaml:null:null : is larger than 256 KB",
    );
  });

  it("that is no UTF-8 is refused", async () => {
    expect(await lint({ "commands.yaml": Buffer.from([0xff, 0xfe, 0x41]) })).toContain(
      "commands.yaml:null:null : is not UTF-8 text",
    );
  });

  it("may hold one document only, and each key once", async () => {
    expect(await lintManifest("---\nid: other\n")).toEqual([expect.stringContaining("extension.yaml:9")]);
    expect(await lintManifest("id: again\n")).toEqual([expect.stringContaining("extension.yaml:9:1 : not valid YAML")]);
  });

  it("with a key that is unknown says where it stands and which one was probably meant", async () => {
    expect(await lint({ "extension.yaml": MANIFEST.replace("tools:", "tool:") })).toContainEqual(
      expect.stringMatching(
        /^extension.yaml:6:3 permissions.tool: unknown key. Did you mean tools\? Known here: tools, /,
      ),
    );
    expect(await lintAction("runner: exec.echo\nflags:\n  - name: raw\n    typ: boolean")).toEqual([
      expect.stringMatching(
        /^commands.yaml:10:13 commands\[0\].actions\[0\].flags\[0\].typ: unknown key. Did you mean type/,
      ),
    ]);
    expect(await lintAction("runner: exec.echo\nargs:\n  - { wen: x, words: [a] }")).toEqual([
      "commands.yaml:9:13 commands[0].actions[0].args[0].when: is missing; it must be text",
      expect.stringContaining("commands[0].actions[0].args[0].wen: unknown key. Did you mean when?"),
    ]);
  });

  it("of a wrong shape says what was expected", async () => {
    expect(await lint({ "extension.yaml": MANIFEST.replace("1.0.0", "one") })).toContain(
      "extension.yaml:2:1 version: must be a version like 1.2.0",
    );
    expect(await lint({ "extension.yaml": MANIFEST.replace("id: demo", "id: ../x") })).toContainEqual(
      expect.stringContaining("extension.yaml:1:1 id: must be lower-case words"),
    );
  });
});
