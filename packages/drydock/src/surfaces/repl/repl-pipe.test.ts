import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDock, type Dock } from "../../app/index.ts";
import { installParrot } from "../cli/testing/install-extension.ts";
import { spawnCli } from "../cli/testing/run-cli.ts";
import { useHome } from "../cli/testing/use-home.ts";
import { pipeRepl } from "./testing/pipe-repl.ts";

const home = useHome();
let dock: Dock;
beforeAll(async () => {
  dock = await createDock({ home: home(), warm: 1 });
});
afterAll(() => dock.close());

describe("the REPL on a pipe", () => {
  it("prints what code prints and gives, and nothing else", async () => {
    const text = "x = 6\nx * 7\nfor i in range(2):\n    print(i)\n\nx";
    const { status, stdout, stderr } = await spawnCli(home(), ["repl"], text).finished;
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "42\n0\n1\n6\n", stderr: "" });
    expect(existsSync(join(home(), "repl-history"))).toBe(false);
  });

  it("goes on after a failure, whose status it ends with", async () => {
    const { status, stdout, stderr } = await pipeRepl(dock, "open('/etc/passwd', 'w')\n1 / 0\nprint('on')\n");
    expect(status).toBe(3);
    expect(stdout).toBe("on\n");
    expect(stderr).toContain("policy.path_denied");
    expect(stderr).toContain("ZeroDivisionError");
  });

  it("gives code that waits for input the next line", async () => {
    const { status, stdout } = await pipeRepl(dock, "name = input('who? ')\nAda\nprint(name)\ninput()");
    expect({ status, stdout }).toEqual({ status: 1, stdout: "who? \nAda\n" });
  });

  it("guards what is typed as drydock exec does", async () => {
    const text = "import os\nopen('a.txt', 'w').write(os.sep)\nopen('a.txt').read()\n";
    const { status, stdout, stderr } = await pipeRepl(dock, text);
    expect({ status, stdout }).toEqual({ status: 0, stdout: '1\n"/"\n' });
    expect(stderr).not.toContain("policy.");
  });

  it.each(["exit", "quit", "quit()", "exit();"])("is left by %s", async (word) => {
    const { status, stdout, stderr } = await pipeRepl(dock, `print('in')\n${word}\nprint('never')\n`);
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "in\n", stderr: "" });
  });

  it("takes such a word for the variable that has its name", async () => {
    expect((await pipeRepl(dock, "quit = 7\nquit\n")).stdout).toBe("7\n");
  });

  it("gives lines to extensions, and denies what needs an approval, as nobody can be asked", async () => {
    await installParrot(home());
    const { status, stdout, stderr } = await pipeRepl(
      dock,
      "/parrot say 'a b'\n/polly say {{ last.text }}\n/parrot shout x\n",
    );
    expect({ status, stdout }).toEqual({ status: 3, stdout: "a b\na b\n\n" });
    expect(stderr).toContain("policy.approval_denied");
  });

  it("ends at /exit", async () => {
    const { status, stdout } = await pipeRepl(dock, "print(1)\n/exit\nprint(2)\n");
    expect({ status, stdout }).toEqual({ status: 0, stdout: "1\n" });
  });

  it("closes its session when it ends", async () => {
    await pipeRepl(dock, "x = 1\n");
    expect(dock.sessions.list()).toEqual([]);
  });

  it("opens another session where the first has ended, and says so", async () => {
    async function* typeLines() {
      yield "x = 1\n";
      let session = dock.sessions.list()[0];
      while (!session?.kept.includes(1)) {
        await sleep(10);
        session = dock.sessions.list()[0];
      }
      await dock.sessions.get(session.sessionId).close();
      yield "'on'\nx + 1\n";
    }
    const { status, stdout, stderr } = await pipeRepl(dock, typeLines());
    expect(stdout).toBe('"on"\n');
    expect(stderr).toMatch(
      /^There is no session ses_\w+ any more: its user closed it at .*\. This is a new one.*\n[\s\S]*NameError/,
    );
    expect(status).toBe(1);
  });

  it("says what is wrong where a workspace does not exist", async () => {
    const { status, stderr } = await pipeRepl(dock, "1\n", { workspace: join(home(), "nowhere") });
    expect(status).toBe(2);
    expect(stderr).toContain("nowhere");
  });

  it("asks for a model where words are given and there is none", async () => {
    const { status, stderr } = await pipeRepl(dock, "what is a dry dock?\nexecute the first 10 primes\n");
    expect(status).toBe(5);
    expect(stderr.match(/model\.unavailable/g)).toHaveLength(2);
    expect(stderr).toContain("drydock model add");
  });

  it("says of a name or a typo what the interpreter says of it, where there is no model", async () => {
    const { status, stderr } = await pipeRepl(dock, "foo\nprnt(1)\n");
    expect(status).toBe(1);
    expect(stderr).toContain("name 'foo' is not defined");
    expect(stderr).toContain("name 'prnt' is not defined");
    expect(stderr).not.toContain("model");
  });

  it("says of words that can't be answered how code is told from them", async () => {
    const { stderr } = await pipeRepl(dock, "show the files\n");
    expect(stderr).toContain("This was read as words for a model, and no model is set up.");
    expect(stderr).toContain("If you meant code: calls, assignments and names are run as code");
    const local = await pipeRepl(dock, "show the files\n", { model: "openai/gpt-5" });
    expect(local.stderr).toContain("This was read as words for a model. openai/gpt-5: there is no key for openai.");
    expect(local.stderr).not.toContain("no model is set up");
  });

  it("gives a model what was typed as it was typed, and templates no way to files or out of bounds", async () => {
    const script = join(home(), "answers.json");
    await writeFile(script, JSON.stringify({ answers: [{ text: "fine", repeat: "always" }] }));
    const lines = [
      'tell me {{ 7 | times: 6 }} {% include "/etc/passwd" %} please',
      'agent({ name: "a", prompt: "{{ input }}" })',
      "await a('{{ 7 | times: 6 }}')",
      `agent({ name: "b", prompt: '{% render "/etc/passwd" %}' })`,
      `agent({ name: "c", prompt: '{{ input.constructor.constructor }}' })`,
      'agent({ name: "d", prompt: "{% for i in (1..100000000) %}x{% endfor %}" })',
      'await d("x")',
      "print('still here')",
    ];
    const { stdout, stderr } = await pipeRepl(dock, `${lines.join("\n")}\n`, {
      model: `scripted:${script}`,
      isDebugging: true,
    });
    expect(stderr).toContain('           tell me {{ 7 | times: 6 }} {% include "/etc/passwd" %} please\n');
    expect(stderr).toContain("           {{ 7 | times: 6 }}\n");
    expect(stdout + stderr).not.toMatch(/root:x:|\[Function|native code/);
    expect(stdout).not.toContain("Defined b");
    expect(stdout).toContain("fine\n");
    expect(stdout).toMatch(/still here\n$/);
  });

  it("takes back what the model did, and nothing of its own", async () => {
    const script = join(home(), "rollback.json");
    const step = { toolCalls: [{ name: "session_exec", arguments: { code: "x = 2" } }] };
    await writeFile(script, JSON.stringify({ answers: [step, { text: "It is two." }] }));
    const lines = "x = 1\nplease double the number\n/session rollback\nx\n";
    const { status, stdout } = await pipeRepl(dock, lines, { model: `scripted:${script}` });
    expect({ status, stdout: stdout.split("\n").slice(-4) }).toEqual({
      status: 0,
      stdout: ["The session is as it was after step 1.", "Also kept: 0", "1", ""],
    });
  });

  it("never runs in the host what was typed", async () => {
    const template = "$";
    const attacks = [
      "process.exit(0)",
      "import('fs').then(fs => fs.writeFileSync('/tmp/drydock-owned', 'x'))",
      "require('child_process').execSync('touch /tmp/drydock-owned')",
      `${template}{process.exit(9)}`,
      "agent({ name: 'a', prompt: process.exit(9) })",
      `agent({ name: 'a', prompt: \`${template}{process.exit(9)}\` })`,
      "agent({ name: 'a', prompt: '{{ constructor.constructor(\"return process\")().exit(9) }}' })",
      "const a = agent({ prompt: 'x', tools: [import('fs')] })",
      "await a(process.exit(9))",
      `/run a ${template}{process.exit(9)}`,
      "/session \u001b[2J",
      "/\u001b]0;owned\u0007",
      "open('/tmp/drydock-owned', 'w').write('x')",
      "__import__('os').system('touch /tmp/drydock-owned')",
      "\u0000\u0001\u001b[2J",
    ];
    const text = `${attacks.join("\n\n")}\n\nprint('still', 'here')\n`;
    const { status, stdout, stderr } = await spawnCli(home(), ["repl"], text).finished;
    expect(stdout).toMatch(/still here\n$/);
    expect(status).not.toBe(0);
    expect(status).not.toBe(9);
    expect(existsSync("/tmp/drydock-owned")).toBe(false);
    expect(stdout + stderr).not.toContain("\u001b");
  });
});
