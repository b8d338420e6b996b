import { describe, expect, it } from "vitest";
import { COMMANDS, commandsOf, MANIFEST, useLint } from "../testing/use-lint.ts";
import { readExtension } from "./read-extension.ts";

const { write, lint } = useLint();
const lintAction = (lines: string) => lint({ "commands.yaml": commandsOf(lines) });

describe("what the shape alone can't tell", () => {
  const at = "commands.yaml";
  const wrong: [what: string, text: string, expected: RegExp][] = [
    ["a tool that was not asked for", "runner: exec.rm", /runner: rm is not among the tools/],
    [
      "a tool that was asked for under another name",
      "runner: exec.echo_cli",
      /runner: echo_cli is not among the tools .*write exec.echo, or add echo_cli there/,
    ],
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
      /args\[0\]: {{ nope }} is not an argument/,
    ],
    ["braces that stay open", 'runner: exec.echo\nargs: ["{{ nope"]', /args\[0\]: has {{ without }}/],
    [
      "a condition on an unknown value",
      "runner: exec.echo\nargs: [{ when: x, words: [a] }]",
      /when: x is not an argument/,
    ],
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
    ["a host without a port", '  hosts: ["api.example.org"]', /permissions.hosts\[0\]: .*is not a host:port/],
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

  it("warns about a value that an interpreter would take for code", async () => {
    const say = (args: string) =>
      lint({
        "extension.yaml": MANIFEST.replace("[echo]", "[bash]"),
        "commands.yaml": commandsOf(`runner: exec.bash\narguments: [{ name: text }]\nargs: ${args}`),
      });
    expect(await say('["-c", "echo {{ text }}"]')).toEqual([expect.stringContaining("args[1]: bash may take")]);
    expect(await say('["-ec", "{{ text }}"]')).toEqual([expect.stringContaining("args[1]: bash may take")]);
    expect(await say('["-c", "echo \\"$1\\"", "--", "{{ text }}"]')).toEqual([]);
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
