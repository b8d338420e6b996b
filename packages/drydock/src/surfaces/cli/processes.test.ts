import { spawn } from "node:child_process";
import { once } from "node:events";
import { open, readdir, readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { CLI_COMMAND, type Finished, runCli, runJson, spawnCli } from "./testing/run-cli.ts";
import { useHome } from "./testing/use-home.ts";

const home = useHome();
const WAITS = "import time\nprint('ready', flush=True)\ntime.sleep(60)";

/** Keepers of this home, found by their command line. */
async function findKeepers(): Promise<number[]> {
  const found: number[] = [];
  for (const name of await readdir("/proc")) {
    const words = (await readFile(`/proc/${name}/cmdline`, "utf8").catch(() => "")).split("\0");
    if (words.includes("__keeper") && words.includes(home())) found.push(Number(name));
  }
  return found;
}

async function step(id: string, code: string): Promise<Finished> {
  return runCli("session", "exec", id, "-c", code);
}

describe("the command as a process", () => {
  it("reads code from standard input", async () => {
    const { finished } = spawnCli(home(), ["exec", "-"], "print('from stdin')");
    expect(await finished).toEqual({ status: 0, stdout: "from stdin\n", stderr: "" });
  });

  it("passes standard input on when it is asked to", async () => {
    const code = "import sys; print(sys.stdin.read().upper())";
    const { finished } = spawnCli(home(), ["exec", "-c", code, "--stdin", "-"], "abc");
    expect(await finished).toEqual({ status: 0, stdout: "ABC\n", stderr: "" });
  });

  it.each(["SIGINT", "SIGTERM"] as const)(
    "passes output on while the code runs, and cancels it at %s",
    async (name) => {
      const cli = spawnCli(home(), ["exec", "-c", WAITS]);
      await cli.printed("ready\n");
      cli.process.kill(name);
      const { status, stderr } = await cli.finished;
      expect({ status, stderr }).toEqual({ status: 130, stderr: expect.stringContaining("✗ run.cancelled — ") });
      expect((await runJson("runs", "list", "--limit", "1")).value).toMatchObject({ runs: [{ status: "cancelled" }] });
    },
  );

  it("ends quietly, and cancels the run, when nobody reads its output any more", async () => {
    const cli = spawnCli(home(), ["exec", "-c", "while True: print('line')"]);
    await cli.printed("line\n");
    cli.process.stdout?.destroy();
    const { status, stderr } = await cli.finished;
    expect({ status, stderr }).toEqual({ status: 130, stderr: "" });
  });

  it("writes everything before it ends, however slowly it is read", async () => {
    const cli = spawnCli(home(), ["exec", "--json", "-c", "print('x' * 3_000_000)"]);
    cli.process.stdout?.pause();
    setTimeout(() => cli.process.stdout?.resume(), 1200);
    const { status, stdout } = await cli.finished;
    expect(status).toBe(0);
    expect((JSON.parse(stdout) as { stdout: string }).stdout).toHaveLength(3_000_001);
  });

  it("uses no colours where nobody looks", async () => {
    const cli = spawnCli(home(), ["exec"]);
    const { stderr } = await cli.finished;
    expect(stderr).toBe(
      "✗ input.invalid — There is nothing to run.\n  hint: Give -c CODE, a FILE, - for standard input, or -- and a command.\n",
    );
  });
});

describe("drydock session", () => {
  it("answers a step that asks with its own standard input, and gives it a file's", async () => {
    const id = (await spawnCli(home(), ["session", "open"]).finished).stdout.trim();
    const request = spawnCli(home(), ["session", "exec", id, "-c", "name = input('who? '); print(name)"], "Ada\n");
    expect(await request.finished).toMatchObject({ status: 0, stdout: "who? Ada\n" });
    expect(await step(id, "input()")).toMatchObject({ status: 1, stderr: expect.stringContaining("EOFError") });
    const input = spawnCli(home(), ["exec", "--session", id, "--stdin", "-", "-c", "input() + name"], "Lovelace ");
    expect(await input.finished).toMatchObject({ status: 0, stdout: '"Lovelace Ada"\n' });
    await runCli("session", "close", id);
  });

  it("keeps variables and files from command to command, and ends its keeper with the last session", async () => {
    const opened = await spawnCli(home(), ["session", "open"]).finished;
    expect(opened).toMatchObject({ status: 0, stdout: expect.stringMatching(/^ses_\w+\n$/), stderr: "" });
    const id = opened.stdout.trim();
    expect(await findKeepers()).toHaveLength(1);

    expect(await step(id, "x = 41; open('f', 'w').write('1'); None")).toMatchObject({ status: 0, stdout: "" });
    expect(await step(id, "x += 1; print(x)")).toMatchObject({ status: 0, stdout: "42\n" });
    expect(await step(id, "x = 0; import os; os.remove('f'); 1/0")).toMatchObject({ status: 1 });
    expect((await runCli("exec", "--session", id, "-c", "print(x, open('f').read())")).stdout).toBe("42 1\n");
    const { value } = await runJson("session", "exec", id, "-c", "x");
    expect(value).toMatchObject({ ok: true, sessionId: id, result: 42 });

    const { stdout } = await runCli("session", "list", "--json");
    expect(JSON.parse(stdout)).toMatchObject([{ sessionId: id, language: "python" }]);
    expect((await runCli("session", "list")).stdout).toContain(id);
    expect((await runJson("session", "stats", id)).value).toMatchObject({ sessionId: id });
    expect((await runJson("session", "stats")).value).toMatchObject({ live: 1, failedSteps: expect.any(Number) });

    expect((await runJson("session", "rollback", id, "--to", "1")).value).toMatchObject({ sessionId: id, step: 1 });
    expect((await step(id, "print(x)")).stdout).toBe("41\n");
    expect(await runCli("session", "close", id)).toEqual({ status: 0, stdout: "", stderr: "" });
    expect((await runJson("session", "close", id)).value).toMatchObject({ error: { code: "session.not_found" } });
    await expect.poll(findKeepers).toEqual([]);
    expect((await runCli("session", "list", "--json")).stdout).toBe("[]\n");
  });

  it("closes all sessions at once, and says so where there is none", async () => {
    const open = async () => (await spawnCli(home(), ["session", "open"]).finished).stdout.trim();
    const ids = [await open(), await open()];
    expect(await runCli("session", "close")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("No session"),
    });
    expect(await runCli("session", "close", "last", "--all")).toMatchObject({ status: 2 });
    expect((await runJson("session", "close", "--all")).value).toEqual({ closed: ids });
    await expect.poll(findKeepers).toEqual([]);
    expect(await runCli("session", "close", "--all")).toMatchObject({ status: 0, stdout: "Closed 0 sessions.\n" });
    expect(await step(ids[0] ?? "", "1")).toMatchObject({ status: 2 });
  });

  it("has one keeper, when two commands start it at once, and finds another after that was killed", async () => {
    const open = () => spawnCli(home(), ["session", "open", "--json"]).finished;
    const [one, two] = await Promise.all([open(), open()]);
    const ids = [one, two].map(({ stdout }) => (JSON.parse(stdout) as { sessionId: string }).sessionId);
    const [keeper, other] = await findKeepers();
    expect(other).toBeUndefined();
    expect(JSON.parse((await runCli("session", "list", "--json")).stdout)).toHaveLength(2);

    process.kill(keeper ?? 0, "SIGKILL");
    await expect.poll(findKeepers).toEqual([]);
    const lost = { status: 2, stderr: expect.stringContaining("the Drydock process that held it has ended") };
    expect(await step(ids[0] ?? "", "1")).toMatchObject(lost);
    const next = (await open()).stdout;
    const { sessionId } = JSON.parse(next) as { sessionId: string };
    expect(await step(sessionId, "print(1)")).toMatchObject({ status: 0, stdout: "1\n" });
    expect(await step(ids[1] ?? "", "1")).toMatchObject(lost);
    expect((await runJson("session", "stats")).value).toMatchObject({ live: 1 });
    await runCli("session", "close", sessionId);
    const { value: totals } = await runJson("session", "stats");
    expect(totals).toMatchObject({ live: 0, opened: expect.any(Number), failedSteps: expect.any(Number) });
    expect(Number(totals.opened)).toBeGreaterThanOrEqual(3);
    const closed = { status: 2, stderr: expect.stringContaining("its user closed it at 20") };
    expect(await step(sessionId, "1")).toMatchObject(closed);
  });

  it("is also found as last: the open one that was opened last", async () => {
    const open = async () => (await spawnCli(home(), ["session", "open"]).finished).stdout.trim();
    const [first, second] = [await open(), await open()];
    expect(await step("last", "x = 1")).toMatchObject({ status: 0 });
    expect((await runJson("exec", "--session", "last", "-c", "x")).value).toMatchObject({
      sessionId: second,
      result: 1,
    });
    expect((await runJson("session", "stats", "last")).value).toMatchObject({ sessionId: second, steps: 2 });
    expect((await runJson("session", "rollback", "last")).value).toMatchObject({ sessionId: second, step: 1 });
    expect((await runJson("session", "close", "last")).value).toEqual({ sessionId: second, closed: true });
    expect((await runJson("session", "close", "last")).value).toEqual({ sessionId: first, closed: true });
    expect(await step("last", "1")).toMatchObject({ status: 2, stderr: expect.stringContaining("no session is open") });
  });

  it("cancels a step at SIGINT, or when its command is killed, and the session lives on", async () => {
    const id = (await spawnCli(home(), ["session", "open"]).finished).stdout.trim();
    const one = spawnCli(home(), ["session", "exec", id, "-c", `y = 1\n${WAITS}`]);
    await one.printed("ready\n");
    one.process.kill("SIGINT");
    expect((await one.finished).status).toBe(130);
    const two = spawnCli(home(), ["session", "exec", id, "-c", WAITS]);
    await two.printed("ready\n");
    two.process.kill("SIGKILL");
    expect((await step(id, "print('y' in globals())")).stdout).toBe("False\n");
    await runCli("session", "close", id);
  });
});

describe("in a shell", () => {
  it("says so when its output can't be written", async () => {
    const full = await open("/dev/full", "w");
    const [program, ...before] = CLI_COMMAND;
    const child = spawn(program, [...before, "--version"], { stdio: ["ignore", full.fd, "pipe"] });
    let stderr = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    const [status] = await once(child, "close");
    await full.close();
    expect(status).toBe(70);
    expect(stderr).toMatch(/^✗ internal — Standard output can't be written: ENOSPC/);
  });

  it("ends quietly where its reader does", async () => {
    const script = `"$@" | head -1; echo "status $\{PIPESTATUS[0]}"`;
    const code = "for i in range(10_000_000): print(i)";
    const shell = spawn("bash", ["--norc", "-c", script, "bash", ...CLI_COMMAND, "exec", "-c", code], {
      env: { PATH: process.env.PATH, DRYDOCK_HOME: home() },
    });
    let output = "";
    for (const stream of [shell.stdout, shell.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    }
    await once(shell, "close");
    expect(output).toBe("0\nstatus 130\n");
  });
});
