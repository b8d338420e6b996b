import { execFileSync, spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ExecResult } from "@drydock/protocol";
import { describe, expect, it } from "vitest";
import { makeTemporaryDirectory } from "../../base/testing/temporary-directory.ts";
import { CLI_COMMAND, runCli, runJson, spawnCli } from "./testing/run-cli.ts";
import { runInTerminal } from "./testing/run-in-terminal.ts";
import { useHome } from "./testing/use-home.ts";

const home = useHome();

async function fileWith(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(home(), name);
  await writeFile(path, content);
  return path;
}

describe("drydock exec", () => {
  it.each([
    ["python", "import sys; print(1); print(2, file=sys.stderr)"],
    ["node", "console.log(1); console.error(2)"],
    ["bash", "echo 1; echo 2 >&2"],
  ])("runs %s code and passes its output on untouched", async (language, code) => {
    expect(await runCli("exec", "--lang", language, "-c", code)).toEqual({ status: 0, stdout: "1\n", stderr: "2\n" });
  });

  it.each([
    ["a.py", "import sys; print(sys.argv[1:])", "['x', '--y']\n"],
    ["a.mjs", "console.log(process.argv.slice(2).join())", "x,--y\n"],
    ["a.sh", 'echo "$@"', "x --y\n"],
  ])("tells the language of %s by its ending, and passes arguments on", async (name, code, stdout) => {
    const path = await fileWith(name, code);
    expect(await runCli("exec", path, "x", "--", "--y")).toMatchObject({ status: 0, stdout });
  });

  it("runs a command", async () => {
    expect(await runCli("exec", "--", "cat", "--version")).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^cat /),
    });
  });

  it("prints the value only where the code printed nothing", async () => {
    expect((await runCli("exec", "-c", "[1, 'a']")).stdout).toBe('[\n  1,\n  "a"\n]\n');
    expect((await runCli("exec", "-c", "print('x'); 5")).stdout).toBe("x\n");
  });

  it("lists what a run changed, and leaves the workspace as it is", async () => {
    const workspace = makeTemporaryDirectory();
    await writeFile(join(workspace, "old.txt"), "old\n");
    const code = "open('new.txt', 'w').write('1'); open('old.txt', 'w').write('2'); None";
    const { status, stdout, stderr } = await runCli("exec", "--workspace", workspace, "-c", code);
    expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
    expect(stderr).toContain("changes:\n  + new.txt\n  ~ old.txt\nrun_");
    expect(await readFile(join(workspace, "old.txt"), "utf8")).toBe("old\n");
    const runId = /run_\w+/.exec(stderr)?.[0] ?? "";
    expect((await runCli("runs", "diff", runId)).stdout).toContain("-old\n+2\n");
  });

  it("counts what git ignores and what tools cache, and lists it with --all", async () => {
    const workspace = makeTemporaryDirectory();
    execFileSync("git", ["init", "-q", workspace]);
    await writeFile(join(workspace, ".gitignore"), "*.log\nbuild/\n");
    const files = ["a.log", "build/x", "pkg/__pycache__/a.pyc", ".pytest_cache/README.md", "kept.txt"];
    const code = `import os\nfor f in ${JSON.stringify(files)}:\n  os.makedirs(os.path.dirname(f) or '.', exist_ok=True)\n  open(f, 'w').write(f)\nNone`;
    const words = ["exec", "--workspace", workspace, "-c", code];
    const { stderr } = await runCli(...words);
    expect(stderr).toMatch(
      /^artifacts:\n {2}kept\.txt \(.*\)\nchanges:\n {2}\+ kept\.txt\n\+ 4 ignored files\nrun_\w+\n$/,
    );
    const all = await runCli(...words, "--all");
    for (const file of files) expect(all.stderr).toContain(`+ ${file}\n`);
    const { changes, artifacts } = (await runJson(...words)).value as unknown as ExecResult;
    expect(changes.map(({ path }) => path).sort()).toEqual([...files].sort());
    expect(artifacts).toHaveLength(5);
  });

  it("gives the code its input from a file", async () => {
    const path = await fileWith("input.txt", "some input");
    const code = "import sys; print(sys.stdin.read())";
    expect((await runCli("exec", "--stdin", path, "-c", code)).stdout).toBe("some input\n");
    expect((await runCli("exec", "-c", code)).stdout).toBe("\n");
  });

  it("answers code that asks with the lines of its own standard input, once it asks", async () => {
    const code = "print('hello', input('who? '), input())";
    const { status, stdout } = await spawnCli(home(), ["exec", "-c", code], "Ada\nLovelace\nrest\n").finished;
    expect({ status, stdout }).toEqual({ status: 0, stdout: "who? hello Ada Lovelace\n" });
    const ended = await spawnCli(home(), ["exec", "-c", code], "Ada\n").finished;
    expect([ended.status, ended.stderr]).toEqual([1, expect.stringContaining("EOFError")]);
    // What no code asks for is left to the rest of the script.
    const script = `printf 'a\\nb\\n' | { "$@"; cat; }`;
    const [program, ...words] = CLI_COMMAND;
    const loop = ["-c", script, "sh", program, ...words, "exec", "-c", "print(1)"];
    const env = { ...process.env, DRYDOCK_HOME: home() };
    expect(execFileSync("sh", loop, { encoding: "utf8", env })).toBe("1\na\nb\n");
  });

  it("asks on a terminal, without showing a password", async () => {
    const code = "import getpass; name = input('who? '); print(name, len(getpass.getpass('key: ')))";
    const keys = [
      { after: "who? ", type: "Ada\r" },
      { after: "key: ", type: "unseen\r" },
    ];
    const { status, screen } = await runInTerminal(home(), ["exec", "-c", code], { rows: 24, columns: 80, keys });
    expect([status, screen]).toEqual([0, expect.stringContaining("Ada 6")]);
    expect(screen).not.toContain("unseen");
    const stopped = { rows: 24, columns: 80, keys: [{ after: "who? ", type: "\u0003" }] };
    expect((await runInTerminal(home(), ["exec", "-c", code], stopped)).status).toBe(130);
    const end = { rows: 24, columns: 80, keys: [{ after: "who? ", type: "\u0004" }] };
    expect((await runInTerminal(home(), ["exec", "-c", code], end)).screen).toContain("EOFError");
  });

  it("prints one JSON value with --json, and nothing beside it", async () => {
    const { status, stdout, stderr } = await runCli("exec", "-c", "print(1); 2", "--json");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, stdout: "1\n", result: 2, error: null });
  });

  it("takes a policy from a file, below single options", async () => {
    const path = await fileWith("asked.yaml", "limits: { wallSeconds: 0.3, processes: 5 }\n");
    const { status, value } = await runJson("exec", "--policy", path, "-c", "while True: pass");
    expect({ status, code: value.error }).toMatchObject({ status: 4, code: { code: "limit.timeout" } });
    expect((await runCli("exec", "--policy", path, "--timeout", "20", "-c", "print(1)")).stdout).toBe("1\n");
  });
});

describe("drydock exec ends with", () => {
  it.each([
    [1, "code.exception", ["-c", "1/0"]],
    [1, "code.syntax", ["-c", "x = ("]],
    [1, "code.exit", ["-c", "import sys; sys.exit(7)"]],
    [1, "code.import_missing", ["-c", "import nosuchpackage"]],
    [3, "policy.network_denied", ["--net", "example.org:443", "-c", "1"]],
    [4, "limit.timeout", ["--timeout", "0.3", "-c", "while True: pass"]],
    [4, "limit.memory", ["--memory", "64", "-c", "x = bytearray(400_000_000)"]],
  ])("%i for %s", async (status, code, args) => {
    const end = args.indexOf("--");
    const json = end < 0 ? [...args, "--json"] : ["--json", ...args];
    const { stdout, ...ended } = await runCli("exec", ...json);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, error: { code, hint: expect.stringMatching(/./) } });
    expect(ended).toEqual({ status, stderr: "" });
  });

  it("0 for a plain command: no list is needed", async () => {
    expect(await runCli("exec", "--", "echo", "hi")).toMatchObject({ status: 0, stdout: "hi\n" });
    await runCli("policy", "allow", "command", "make");
    const script = "echo a | sed s/a/b/";
    expect(await runCli("exec", "--lang", "bash", "-c", script)).toMatchObject({ status: 0, stdout: "b\n" });
  });

  it("3 for policy.command_denied, where a policy has a list of commands", async () => {
    const path = join(home(), "commands.yaml");
    await writeFile(path, "commands: { allow: [ls] }\n");
    const { status, stdout } = await runCli("exec", "--json", "--policy", path, "--", "rm", "x");
    expect(status).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, error: { code: "policy.command_denied" } });
  });

  it("a block on a line of its own, also where both streams go into one pipe", async () => {
    const words = ["exec", "-c", "import os\nos.write(1, b'x')\nos._exit(3)"];
    const both = ["-c", 'exec "$@" 2>&1', "sh", ...CLI_COMMAND, ...words];
    const { stdout } = spawnSync("sh", both, { encoding: "utf8", env: { ...process.env, DRYDOCK_HOME: home() } });
    expect(stdout).toMatch(/^x\n✗ code\.exit — /);
  });

  it("a short block on stderr that says what failed and what to do", async () => {
    const { status, stdout, stderr } = await runCli("exec", "-c", "print('a', end='')\n1/0");
    expect({ status, stdout }).toEqual({ status: 1, stdout: "a" });
    expect(stderr).toMatch(/\n✗ code\.exception — ZeroDivisionError: division by zero \(line 2.*\)\n {2}hint: /);
  });
});

describe("wrong usage of drydock exec", () => {
  it("refuses a file whose ending names no language, unless the language is given", async () => {
    const path = await fileWith("program.rb", "print(1)\n");
    expect(await runCli("exec", path)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("names no language"),
    });
    expect(await runCli("exec", "--lang", "python", path)).toMatchObject({ status: 0, stdout: "1\n" });
  });

  it.each([
    ["nothing to run", [], /nothing to run/],
    ["code and a file", ["-c", "1", "a.py"], /Both -c and a\.py/],
    ["code and a command", ["-c", "1", "--", "ls"], /Both -c and a command/],
    ["no command after --", ["--"], /no command after --/],
    ["a command without a name", ["--", ""], /name of the command is empty/],
    ["a language for a command", ["--lang", "node", "--", "ls"], /no language/],
    ["a missing file", ["/nowhere/a.py"], /no file \/nowhere\/a\.py/],
    ["a directory", ["/"], /\/ is a directory/],
    ["a missing input", ["--stdin", "/nowhere", "-c", "1"], /no file \/nowhere/],
    ["code and input both from standard input", ["-", "--stdin", "-"], /both code and input/],
    ["a directory as input", ["--stdin", "/", "-c", "1"], /\/ is a directory/],
    ["a missing policy", ["--policy", "/nowhere", "-c", "1"], /no policy file \/nowhere/],
    ["an unknown option", ["--jsno", "-c", "1"], /--json/],
    ["an unknown language", ["--lang", "ruby", "-c", "1"], /python, node, bash/],
    ["a timeout that is no number", ["--timeout", "soon", "-c", "1"], /number above 0/],
    ["an option without its value", ["-c"], /argument missing/],
    ["a language in a session", ["--session", "ses_1", "--lang", "node", "-c", "1"], /--lang/],
    ["a command in a session", ["--session", "ses_1", "--", "ls"], /takes no command/],
    ["a missing workspace", ["--workspace", "/nowhere", "-c", "1"], /\/nowhere/],
  ])("is input.invalid, in words and as JSON: %s", async (_name, args, said) => {
    const { status, stdout, stderr } = await runCli("exec", ...args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toMatch(/^✗ input\.invalid — .+\n {2}hint: ./);
    expect(stderr).toMatch(said);
    const json = await runCli("exec", "--json", ...args);
    expect(json).toMatchObject({ status: 2, stderr: "" });
    expect(JSON.parse(json.stdout)).toMatchObject({ error: { code: "input.invalid", hint: expect.any(String) } });
  });

  it("is a file that is no UTF-8", async () => {
    const path = await fileWith("bad.py", new Uint8Array([0x23, 0xff]));
    expect(await runCli("exec", path)).toMatchObject({ status: 2, stderr: expect.stringContaining("not valid UTF-8") });
  });

  it("is a session that does not exist", async () => {
    const { status, value } = await runJson("exec", "--session", "ses_1", "-c", "1");
    expect({ status, error: value.error }).toMatchObject({ status: 2, error: { code: "session.not_found" } });
  });

  it("is an unknown command, with the one that was meant", async () => {
    const { status, value } = await runJson("exce");
    expect({ status, ...value }).toMatchObject({ status: 2, error: { hint: "Did you mean exec?" } });
  });
});

describe("help", () => {
  it.each([
    [["--help"], "drydock doctor"],
    [["exec", "--help"], "drydock exec -c 'print(6 * 7)'"],
    [["session", "open", "--help"], "drydock session close last"],
    [["runs", "events", "--help"], "--follow"],
    [["audit", "verify", "--help"], "drydock audit export"],
    [["policy", "allow", "--help"], "drydock policy allow network"],
    [["doctor", "--help"], "$ drydock doctor"],
  ])("%j comes with examples", async (args, example) => {
    const { status, stdout, stderr } = await runCli(...args);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toContain("Examples:");
    expect(stdout).toContain(example);
  });

  it("stands in for an error where a command is missing", async () => {
    expect(await runCli("session")).toMatchObject({
      status: 2,
      stdout: "",
      stderr: expect.stringContaining("rollback"),
    });
    expect((await runJson("session")).value).toMatchObject({ error: { code: "input.invalid" } });
  });
});
