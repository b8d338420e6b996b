import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { eventually } from "../../src/base/testing/eventually.ts";
import { processesWith } from "../../src/base/testing/processes.ts";
import { describeExtension, openExtensionDock, writeExtension } from "../testing/extension-dock.ts";

const SHOW = `#!/bin/sh
for word in "$@"; do printf '[%s]' "$word"; done
`;

const words = describeExtension(
  "words",
  "{ tools: [show, printenv, find_cli, cat, sh, head], environment: [GREETING] }",
  `      - name: show
        description: Shows its words.
        runner: exec.show
        arguments: [{ name: words, repeat: true, dash: true }]
        args: ["{{ words }}"]
      - name: after
        description: A word after others.
        runner: exec.show
        arguments: [{ name: word, required: true }]
        args: [--fixed, "{{ word }}", "x={{ word }}"]
      - name: environment
        description: Shows the environment.
        runner: exec.printenv
      - name: find
        description: Looks around.
        runner: exec.find_cli
        arguments: [{ name: place, required: true, type: string }]
        args: ["{{ place }}", -maxdepth, "1"]
      - name: fail
        description: Fails.
        runner: exec.sh
        args: [-c, "echo partly; echo 'it is broken' >&2; exit 4"]
      - name: four
        description: Ends with 4, which is fine.
        runner: exec.sh
        okExitCodes: [0, 4]
        args: [-c, "echo fine; exit 4"]
      - name: hang
        description: Never ends, nor does what it starts.
        runner: exec.sh
        timeoutSeconds: 1
        args: [-c, "sleep 987654 & echo begun; sleep 987654"]
      - name: binary
        description: Prints no text.
        runner: exec.head
        args: [-c, "5000", /dev/urandom]
      - name: input
        description: Says what it is told.
        runner: exec.cat
        arguments: [{ name: text, required: true }]
        args: []
        stdin: "<{{ text }}>"
      - name: much
        description: Prints more than may be kept.
        runner: exec.sh
        args: [-c, "head -c 3000000 /dev/zero | tr '\\\\0' x"]
      - name: count
        description: Counts the bytes of a response.
        runner: exec.sh
        stdin: "{{ input }}"
        args: [-c, "wc -c"]
      - name: json
        description: Prints JSON.
        runner: exec.cat
        stdin: '{"a": [1, {"b": "two"}], "flag": "--output=/etc/x", "words": "a ; b \\" c"}'
      - name: keep
        description: Keeps a file for the next call.
        runner: exec.sh
        arguments: [{ name: text, required: true }]
        stdin: "{{ text }}"
        args: [-c, "cat >> kept.txt; cat kept.txt"]
      - name: attempts
        description: Writes where it must not.
        runner: exec.sh
        args: [-c, "touch /extension/x /usr/x /etc/x 2>&1; ls /root /home 2>&1; cat /etc/shadow 2>&1; true"]
`,
);
words["tools/show"] = SHOW;
const other = describeExtension(
  "other",
  "{ tools: [show, hometool, gone_tool, cat] }",
  `      - name: show
        description: Another's tool.
        runner: exec.show
      - name: home
        description: A tool of the home.
        runner: exec.hometool
      - name: gone
        description: A tool that is nowhere.
        runner: exec.gone_tool
      - name: cat
        description: Own tool before the system's.
        runner: exec.cat
`,
);
other["bin/cat"] = "#!/bin/sh\necho the own cat\n";

process.env.GREETING = "hello from outside";
process.env.OTHER_VARIABLE = "not for extensions";

const test = openExtensionDock({
  extensions: [words, other],
  prepare: (home) => writeExtension(home, { "tools/hometool": "#!/bin/sh\necho at home\n" }),
});

describe("exec.TOOL", () => {
  it("gives each value to the tool as one word, whatever stands in it", async () => {
    const hostile = ["; rm -rf /", "$(id)", "`id`", "a\nb", "--output=/etc/x", "* ? ~", "", "&& x | y > z"];
    const outcome = await test.dock.extensions.execute({
      command: "words",
      action: "show",
      values: { words: hostile },
    });
    expect(outcome).toMatchObject({ success: true, output: hostile.map((word) => `[${word}]`).join("") });
  });

  it("refuses a value that the tool could take for an option", async () => {
    for (const word of ["--output=/etc/x", "-o", "-"]) {
      expect(await test.error(`/words after '${word}'`), word).toMatchObject({ code: "input.invalid" });
    }
    expect(await test.output("/words after a-b")).toBe("[--fixed][a-b][x=a-b]");
  });

  it("lets through the variables that were granted, and no others", async () => {
    const output = await test.output("/words environment");
    expect(output).toContain("GREETING=hello from outside");
    expect(output).not.toContain("OTHER_VARIABLE");
  });

  it("finds tools by their names without suffix, in the extension first, then in the home, then on the system", async () => {
    expect(await test.output("/words find /extension")).toBe("/extension\n");
    expect(await test.output("/other cat")).toBe("the own cat\n");
    expect(await test.output("/other home")).toBe("at home\n");
    expect(await test.error("/other gone")).toMatchObject({
      code: "extension.tool_missing",
      message: expect.stringContaining("gone"),
      hint: expect.stringContaining("drydock ext update other"),
    });
    // A tool of another extension is nobody else's.
    expect(await test.error("/other show")).toMatchObject({ code: "extension.tool_missing" });
  });

  it("tells a failed tool by its status and its last words, with what it had said", async () => {
    const outcome = await test.call("/words fail");
    expect(outcome).toMatchObject({
      success: false,
      output: "partly\n",
      error: { code: "code.exit", exitCode: 4, message: expect.stringContaining("it is broken") },
    });
    expect(await test.call("/words four")).toMatchObject({
      success: true,
      output: "fine\n",
      metadata: { exitCode: 4 },
    });
  });

  it("ends a tool that hangs, with everything it started", async () => {
    const outcome = await test.call("/words hang");
    expect(outcome).toMatchObject({
      success: false,
      output: "begun\n",
      error: { code: "limit.timeout", message: "The command timed out after 1 second.", hint: expect.any(String) },
    });
    const { stdout } = await test.dock.exec({ language: "bash", code: "true" });
    expect(stdout).toBe("");
    expect(await eventually(() => processesWith("987654").length === 0)).toBe(true);
  });

  it("keeps what is no text as an artifact, with a note in its place", async () => {
    const outcome = await test.call("/words binary");
    if (outcome.type !== "capability_result") throw new Error(JSON.stringify(outcome));
    expect(outcome.output).not.toContain("\uFFFD");
    const artifact = outcome.artifacts.find(({ size }) => size === 5000);
    expect(artifact).toBeDefined();
    expect((await test.dock.runs.readArtifact(artifact?.id ?? "")).length).toBe(5000);
  });

  it("cuts a long response, and keeps the whole of it", async () => {
    const outcome = await test.call("/words much", { session: "much" });
    if (outcome.type !== "capability_result") throw new Error(JSON.stringify(outcome).slice(0, 500));
    expect(outcome.truncated).toBe(true);
    expect(outcome.output.length).toBeLessThanOrEqual(1_048_576);
    expect(outcome.artifacts.map(({ size }) => size)).toEqual([3_000_000]);
    // What is piped on is whole.
    expect(await test.output("/words much | /words count")).toBe("3000000\n");
    expect(await test.output("/words count", { session: "much" })).toBe("3000000\n");
  });

  it("records what was asked for, and not a file's worth of it", async () => {
    const outcome = await test.call(`/words input ${"y".repeat(100_000)}`);
    expect(outcome).toMatchObject({ success: true, output: `<${"y".repeat(100_000)}>` });
    const [created] = await test.dock.runs.events(outcome.runId ?? "");
    expect(JSON.stringify(created).length).toBeLessThan(20_000);
    expect(JSON.stringify(created)).toContain("(100000 characters)");
  });

  it("refuses to work on a response where there is none", async () => {
    const error = await test.error("/words count", { session: "empty" });
    expect(error).toMatchObject({ code: "input.invalid", message: expect.stringContaining("has none yet") });
  });

  it("recognises JSON, and hands parts of it to the next call as values", async () => {
    expect(await test.call("/words json", { session: "json" })).toMatchObject({ json: { a: [1, { b: "two" }] } });
    const line = "/words show 'n={{ last.json.a[0] }}' '{{ last.json.a[1].b }}'";
    expect(await test.output(line, { session: "json" })).toBe("[n=1][two]");
    expect(await test.output("/words after {{ history[1].json.words }}", { session: "json" })).toContain('[a ; b " c]');
    await test.output("/words json", { session: "json" });
    // What a response holds is a value like any other: it becomes no option, and no second word.
    expect(await test.error("/words after {{ last.json.flag }}", { session: "json" })).toMatchObject({
      code: "input.invalid",
      message: expect.stringContaining("dash"),
    });
    expect(await test.error("/words show '{{ last.json.c }}'", { session: "json" })).toMatchObject({
      code: "input.invalid",
    });
  });

  it("keeps files for the next call of the session, for this extension only", async () => {
    expect(await test.output("/words keep one", { session: "a" })).toBe("one");
    expect(await test.output("/words keep ,two", { session: "a" })).toBe("one,two");
    expect(await test.output("/words keep three", { session: "b" })).toBe("three");
  });

  it("has nothing of the host to write to or to read", async () => {
    const output = await test.output("/words attempts");
    expect(output).toMatch(/cannot touch '\/usr\/x'/);
    expect(output).not.toMatch(/root:[*!$]/);
  });

  it("refuses a tool that is a link out of its folder", async () => {
    symlinkSync("/usr/bin/id", join(test.home, "tools", "gone"));
    expect(await test.error("/other gone")).toMatchObject({ code: "policy.path_denied" });
    writeFileSync(join(test.home, "tools", "plain"), "no program");
  });
});
