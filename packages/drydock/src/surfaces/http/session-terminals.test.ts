import { once } from "node:events";
import { createClient } from "drydock/client";
import { afterEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { openTestServer } from "./testing/open-test-server.ts";

const place = openTestServer({ warm: 1 });
const client = () => createClient({ baseUrl: place.server.url, token: place.server.token ?? "" });
const open = async (more = {}) => (await client().sessions.open(more)).sessionId;

afterEach(async () => {
  const { sessions } = await client().sessions.list();
  for (const { sessionId } of sessions) await client().sessions.close(sessionId);
});

async function connect(id: string, size: { columns?: number; rows?: number } = {}) {
  let text = "";
  const ended = Promise.withResolvers<number | null>();
  const terminal = await client().sessions.terminal(id, {
    ...size,
    onData: (bytes) => {
      text += Buffer.from(bytes).toString();
    },
    onEnd: ended.resolve,
  });
  const sees = (wanted: RegExp | string) => expect.poll(() => text, { timeout: 15_000 }).toMatch(wanted);
  return { ...terminal, ended: ended.promise, sees };
}

describe("a terminal on a session", () => {
  it("is a step: bash with a pty, whose files are the session's when it is left, and can be undone", async () => {
    const id = await open();
    await client().sessions.exec(id, { code: "x = 1; result = 'kept'; open('a.txt', 'w').write('one\\n'); None" });
    const terminal = await connect(id, { columns: 90, rows: 33 });
    terminal.write("cat a.txt; stty size; tty; echo two > b.txt\r");
    await terminal.sees(/one\r\n33 90\r\n\/dev\/pts\//);
    terminal.resize(70, 20);
    terminal.write("stty size; sleep 1000\r");
    await terminal.sees("20 70");
    terminal.write("\u0003");
    await terminal.sees(/\^C/);
    terminal.write("echo status $?; exit 7\r");
    await terminal.sees("status 130");
    expect(await terminal.ended).toBe(7);
    const after = await client().sessions.exec(id, { code: "x, open('b.txt').read()" });
    expect(after).toMatchObject({ ok: true, result: [1, "two\n"], step: 3 });
    expect((await client().sessions.get(id)).variables).toEqual({ x: "int" });
    const { runs } = await client().runs.list({ session: id });
    expect(runs.map(({ title }) => title)).toContain("terminal");
    await client().sessions.rollback(id, { to: 1 });
    expect(await client().sessions.exec(id, { code: "import os; os.listdir()" })).toMatchObject({ result: ["a.txt"] });
  });

  it("keeps its files also when its connection breaks, and ends with all that it started", async () => {
    const id = await open();
    const terminal = await connect(id);
    terminal.write("echo here > c.txt; setsid sleep 4343 & sleep 4343 & echo begun-$((1+1))\r");
    await terminal.sees("begun-2");
    terminal.close();
    const code =
      "import subprocess; open('c.txt').read(), subprocess.run(['pgrep', '-fc', 'sleep 434[3]'], capture_output=True, text=True).stdout";
    expect(await client().sessions.exec(id, { code })).toMatchObject({ ok: true, result: ["here\n", "1\n"] });
  });

  it("floods nobody, and leaves before its output or its time would undo it", async () => {
    const id = await open({ policy: { limits: { outputMb: 1, wallSeconds: 20 } } });
    const terminal = await connect(id);
    terminal.write("echo kept > d.txt; yes flooding-the-terminal\r");
    await terminal.sees("may print no more");
    await terminal.ended;
    expect(await client().sessions.exec(id, { code: "open('d.txt').read()" })).toMatchObject({ result: "kept\n" });
    const short = await open({ policy: { limits: { wallSeconds: 5 } } });
    const late = await connect(short);
    late.write("echo in time > e.txt; sleep 1000\r");
    await late.sees("time of a step is over");
    expect(await client().sessions.exec(short, { code: "open('e.txt').read()" })).toMatchObject({
      result: "in time\n",
    });
  });

  it("is refused: a second one, one of a Node session, where commands are listed, or where there is no session", async () => {
    const id = await open();
    const terminal = await connect(id);
    await expect(connect(id)).rejects.toMatchObject({ code: "limit.concurrency" });
    terminal.close();
    const again = () =>
      connect(id).then(
        (next) => next.close(),
        (error: unknown) => error,
      );
    await expect.poll(again, { timeout: 15_000 }).toBeUndefined();
    await expect(connect(await open({ language: "node" }))).rejects.toMatchObject({ code: "input.invalid" });
    const listed = await open({ policy: { commands: { allow: ["git status"] } } });
    await expect(connect(listed)).rejects.toMatchObject({ code: "policy.command_denied" });
    await expect(connect("ses_none")).rejects.toMatchObject({ code: "session.not_found" });
    const socket = new WebSocket(`${place.server.url.replace("http", "ws")}/sessions/${id}/terminal`);
    const [error] = await once(socket, "error");
    expect(String(error)).toContain("401");
  });
});

it("what a run has printed so far is shown while it runs, and is on record after its end", async () => {
  const code = "import time\nprint('first', flush=True)\nwhile True: time.sleep(0.1)";
  const { id } = await client().runs.create({ kind: "exec", code });
  const output = () => client().runs.output(id);
  await expect.poll(output, { timeout: 15_000 }).toEqual({ stdout: "first\n", stderr: "", isCut: false });
  await client().runs.cancel(id);
  await expect.poll(async () => (await client().runs.get(id)).status).toBe("cancelled");
  expect(await output()).toEqual({ stdout: "", stderr: "", isCut: false });
  await expect(client().runs.output("run_none")).rejects.toMatchObject({ code: "run.not_found" });
});
