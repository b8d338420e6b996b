import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { readExtension } from "./read-extension.ts";
import { scaffoldExtension } from "./scaffold-extension.ts";

const made: string[] = [];
afterEach(async () => {
  for (const path of made.splice(0)) await rm(path, { recursive: true, force: true });
});

const MANIFEST = `id: demo
version: 1.0.0
name: Demo
description: For tests.
permissions:
  tools: [echo]
  hosts: ["api.example.org:443"]
  secrets: [TOKEN]
`;

function action(text: string): string {
  const lines = text.split("\n").map((line) => `        ${line}`);
  return `commands:
  - name: demo
    description: For tests.
    actions:
      - name: say
        description: Says it.
${lines.join("\n")}
`;
}

const COMMANDS = action("runner: exec.echo\narguments:\n  - name: text\n    required: true");

async function write(files: Record<string, string | Buffer>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "drydock-format-"));
  made.push(directory);
  const all = { "extension.yaml": MANIFEST, "commands.yaml": COMMANDS, "docs/USAGE.md": "# /demo say\n", ...files };
  for (const [path, content] of Object.entries(all)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), content);
  }
  return directory;
}

/** `file:line:column field: message` of everything that is wrong. */
async function lint(files: Record<string, string | Buffer>): Promise<string[]> {
  const { problems } = await readExtension(await write(files));
  return problems.map(({ file, line, column, field, message }) => `${file}:${line}:${column} ${field}: ${message}`);
}

const lintAction = (text: string) => lint({ "commands.yaml": action(text) });
const lintManifest = (text: string) => lint({ "extension.yaml": `${MANIFEST}${text}` });

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
    expect(problem).toMatch(/^commands.yaml:.*bad YAML/);
  });

  it("that is too large is not even parsed", async () => {
    expect(await lint({ "commands.yaml": `# ${"x".repeat(300_000)}` })).toContain(
      "commands.yaml:null:null : is larger than 256 KB",
    );
  });

  it("that is no UTF-8 is refused", async () => {
    expect(await lint({ "commands.yaml": Buffer.from([0xff, 0xfe, 0x41]) })).toContain(
      "commands.yaml:null:null : is no UTF-8 text",
    );
  });

  it("may hold one document only, and each key once", async () => {
    expect(await lintManifest("---\nid: other\n")).toEqual([expect.stringContaining("extension.yaml:9")]);
    expect(await lintManifest("id: again\n")).toEqual([expect.stringContaining("extension.yaml:9:1 : bad YAML")]);
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
      "commands.yaml:9:13 commands[0].actions[0].args[0].when: is missing",
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

describe("what the shape alone can't tell", () => {
  const at = "commands.yaml";
  const wrong: [what: string, text: string, expected: RegExp][] = [
    ["a tool that was not asked for", "runner: exec.rm", /runner: rm is not among the tools/],
    ["a runner that does not exist", "runner: python.eval", /runner: there is no runner python.eval/],
    [
      "a script without a file",
      "runner: python.script\nscript: scripts/a.py",
      /script: there is no file scripts\/a.py/,
    ],
    ["a script that leads out", "runner: python.script\nscript: ../a.py", /script: must be a relative path/],
    ["a script runner without a script", "runner: node.script", /node.script needs the field script/],
    ["a field that the runner does not use", "runner: exec.echo\nscript: a.py", /script: is not used by exec.echo/],
    [
      "a host that was not asked for",
      "runner: api.call\nrequest: { url: https://evil.example/x }",
      /request.url: evil.example:443 is not among the hosts/,
    ],
    [
      "a host that is made from a value",
      'runner: api.call\nrequest: { url: "https://{{ host }}/x" }',
      /request.url: must start with http\(s\):\/\/ and a host without/,
    ],
    [
      "a secret that was not asked for",
      "runner: api.call\nrequest: { url: https://api.example.org/, auth: { type: bearer, secret: OTHER } }",
      /auth.secret: OTHER is not among the secrets/,
    ],
    [
      "a template of an unknown value",
      'runner: exec.echo\nargs: ["{{ nope }}"]',
      /args\[0\]: {{ nope }} is no argument/,
    ],
    ["braces that stay open", 'runner: exec.echo\nargs: ["{{ nope"]', /args\[0\]: has {{ without }}/],
    ["a condition on an unknown value", "runner: exec.echo\nargs: [{ when: x, words: [a] }]", /when: x is no argument/],
    [
      "a required argument after an optional one",
      "runner: exec.echo\narguments:\n  - name: a\n  - name: b\n    required: true",
      /arguments\[1\].required: can't be required: a, before it, is optional/,
    ],
    [
      "an argument that repeats before another",
      "runner: exec.echo\narguments:\n  - { name: a, repeat: true }\n  - { name: b }",
      /only the last argument can repeat/,
    ],
    [
      "one name twice",
      "runner: exec.echo\narguments: [{ name: a }]\nflags: [{ name: a }]",
      /flags\[0\].name: a is the name of/,
    ],
    [
      "one letter twice",
      "runner: exec.echo\nflags: [{ name: a, short: x }, { name: b, short: x }]",
      /-x stands for --a/,
    ],
    ["a reserved name", "runner: exec.echo\narguments: [{ name: input }]", /input has a meaning of its own/],
    [
      "a default that is no choice",
      "runner: exec.echo\nflags: [{ name: a, choices: [x], default: y }]",
      /none of the choices: x/,
    ],
    [
      "a default of another type",
      "runner: exec.echo\nflags: [{ name: a, type: integer, default: x }]",
      /the type is integer/,
    ],
    [
      "a default that leads upwards",
      "runner: exec.echo\nflags: [{ name: a, type: path, default: ../x }]",
      /relative path/,
    ],
    [
      "an example that calls nothing of it",
      "runner: exec.echo\nexamples: [/other x]",
      /examples\[0\]: must call \/demo/,
    ],
    [
      "an example that does not work",
      'runner: exec.echo\nexamples: ["/demo say --nope 1"]',
      /examples\[0\]: does not work: /,
    ],
  ];

  it.each(wrong)("finds %s", async (_what, text, expected) => {
    const problems = await lintAction(text);
    expect(problems).toContainEqual(expect.stringMatching(expected));
    expect(problems.find((problem) => expected.test(problem))).toMatch(new RegExp(`^${at}:\\d+:\\d+ commands\\[0\\]`));
  });

  it("finds commands and actions that share a name, and those that are Drydock's own", async () => {
    const twice = `${COMMANDS}  - name: other\n    aliases: [demo, policy]\n    description: x\n    default: nope\n    actions: [{ name: a, description: x, runner: exec.echo }, { name: a, description: x, runner: exec.echo }]\n`;
    expect(await lint({ "commands.yaml": twice, "docs/USAGE.md": "/demo /other" })).toEqual([
      expect.stringContaining("/demo is claimed by commands[0] already"),
      expect.stringContaining("/policy belongs to Drydock itself"),
      expect.stringContaining("commands[1].default: there is no action nope; there are a, a"),
      expect.stringContaining("commands[1].actions[1].name: a is there already"),
    ]);
  });

  const manifest: [what: string, text: string, expected: RegExp][] = [
    ["a host without a port", '  hosts: ["api.example.org"]', /permissions.hosts\[0\]: .*is no host:port/],
    ["every host at once", '  hosts: ["*:443"]', /write `policy`/],
    ["a variable that loads code", "  environment: [LD_PRELOAD]", /never passed on/],
    ["a path that leads out", '  paths: { read: ["../x"] }', /paths.read\[0\]: .*\.\./],
    [
      "a step whose file is missing",
      `install: [{ file: a, sha256: ${"a".repeat(64)}, to: tools/a }]`,
      /there is no file a/,
    ],
    [
      "a step that puts a file elsewhere",
      `install: [{ file: a, sha256: ${"a".repeat(64)}, to: scripts/a }]`,
      /must lie in tools/,
    ],
    [
      "a step without a source",
      `install: [{ sha256: ${"a".repeat(64)}, to: tools/a }]`,
      /needs either `file` or `url`/,
    ],
    [
      "a step that overwrites a file",
      `install: [{ url: "https://x.example/a", sha256: ${"a".repeat(64)}, to: tools/there }]`,
      /tools\/there is taken by/,
    ],
  ];

  it.each(manifest)("finds %s", async (_what, text, expected) => {
    const base = text.startsWith("  ") ? MANIFEST.replace(/ {2}(hosts|secrets): .*\n/g, "") : MANIFEST;
    const problems = await lint({ "extension.yaml": `${base}${text}\n`, "tools/there": "x" });
    expect(problems).toContainEqual(expect.stringMatching(expected));
  });

  it("finds a hash that is not that of the file", async () => {
    const step = `install: [{ file: vendor/a, sha256: ${"a".repeat(64)}, to: tools/a }]\n`;
    expect(await lint({ "extension.yaml": MANIFEST + step, "vendor/a": "x" })).toEqual([
      expect.stringContaining(
        "install[0].sha256: is not the hash of vendor/a, which is 2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881",
      ),
    ]);
  });

  it("warns about what is legal and unwise", async () => {
    const reading = await readExtension(
      await write({ "extension.yaml": `${MANIFEST}  environment: [API_TOKEN]\n`, "docs/USAGE.md": "nothing\n" }),
    );
    expect(reading.ok).toBe(true);
    expect(reading.problems.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
      expect.stringContaining("warning: API_TOKEN looks like a secret"),
      "warning: does not mention /demo",
    ]);
  });
});

describe("a new extension", () => {
  it("is valid as it is", async () => {
    const parent = await write({});
    const reading = await readExtension(await scaffoldExtension("tools.my-first", parent));
    expect(reading.problems).toEqual([]);
    expect(reading.ok && reading.extension.commands[0]?.name).toBe("tools-my-first");
  });

  it("overwrites nothing, and takes no name that a path could misread", async () => {
    const parent = await write({});
    await scaffoldExtension("mine", parent);
    await expect(scaffoldExtension("mine", parent)).rejects.toMatchObject({ code: "input.invalid" });
    for (const name of ["../x", "X", "a/b", "", "policy"])
      await expect(scaffoldExtension(name, parent)).rejects.toMatchObject({ code: "input.invalid" });
  });
});
