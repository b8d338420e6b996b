import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { connectKeeper } from "./connect-keeper.ts";
import type { KeeperClient } from "./keeper-client.ts";
import { type KeeperServer, startKeeperServer } from "./keeper-server.ts";
import { serveConnection } from "./serve-connection.ts";
import { createFakeDock, type FakeDock } from "./testing/fake-dock.ts";

let home: string;
let dock: FakeDock;
let server: KeeperServer;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "drydock-keeper-"));
  dock = createFakeDock(home);
  server = await startKeeperServer(dock, { watchMs: 20 });
});

afterEach(async () => {
  server.stop();
  await server.ended;
  await rm(home, { recursive: true, force: true });
});

async function connected(): Promise<KeeperClient> {
  const client = await connectKeeper(home);
  if (!client) throw new Error("No keeper answers.");
  return client;
}

/** A socket that speaks for itself, past the greeting, and the lines it gets. */
async function speak(): Promise<{ socket: Socket; next(): Promise<unknown> }> {
  const socket = connect(join(home, "keeper.sock"));
  let text = "";
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  const next = async () => {
    while (!text.includes("\n")) await once(socket, "data");
    const end = text.indexOf("\n");
    const line = text.slice(0, end);
    text = text.slice(end + 1);
    return JSON.parse(line) as unknown;
  };
  expect(await next()).toEqual({ keeper: 6, ledger: null });
  return { socket, next };
}

describe("the keeper's server", () => {
  it("is reachable for its user only", async () => {
    expect((await stat(join(home, "keeper.sock"))).mode & 0o777).toBe(0o600);
  });

  it("passes questions of a step on, and the answers back, an end included", async () => {
    const client = await connected();
    await client.open();
    const requests: boolean[] = [];
    const answers = ["Ada", null];
    const onInput = async ({ hidden }: { hidden: boolean }) => {
      requests.push(hidden);
      return answers.shift() ?? null;
    };
    expect((await client.exec("ses_0", "ask", { onInput })).stdout).toBe("Ada\n");
    expect((await client.exec("ses_0", "ask secret", { onInput, stdin: "data " })).stdout).toBe("data null\n");
    const failing = async () => Promise.reject(new Error("nobody is there"));
    expect((await client.exec("ses_0", "ask", { onInput: failing })).stdout).toBe("null\n");
    expect((await client.exec("ses_0", "ask")).stdout).toBe("nobody\n");
    expect(requests).toEqual([false, true]);
    client.disconnect();
  });

  it("opens, lists, executes in, rolls back and closes sessions", async () => {
    const client = await connected();
    const opened = await client.open({
      language: "node",
      workspace: "/somewhere",
      policy: { limits: { processes: 3 } },
    });
    expect(opened).toMatchObject({ sessionId: "ses_0", language: "node", workspace: "/somewhere" });
    expect(dock.opened[0]?.policy).toEqual({ limits: { processes: 3 } });
    expect(await client.list()).toMatchObject([{ sessionId: "ses_0", steps: 0 }]);
    const output: string[] = [];
    const result = await client.exec("ses_0", "print hello", { onOutput: ({ text }) => output.push(text) });
    expect(result).toMatchObject({ ok: true, stdout: "hello\n", step: 1 });
    expect(output).toEqual(["hello\n"]);
    expect(await client.exec("ses_0", "fail")).toMatchObject({ ok: false, error: { code: "code.exception", line: 1 } });
    expect(await client.rollback("ses_0", 1)).toEqual({ step: 1, kept: [0], how: "kept", notes: [] });
    expect(await client.stats("ses_0")).toMatchObject({ steps: 1, tasksLeft: 49 });
    expect(await client.totals()).toMatchObject({ live: 1, steps: 2 });
    await client.close("ses_0");
    expect(await client.list()).toEqual([]);
    client.disconnect();
  });

  it("gives the dock's own errors, with code, message and hint", async () => {
    const client = await connected();
    await expect(client.exec("ses_x", "print 1")).rejects.toMatchObject({
      code: "session.not_found",
      message: "There is no session ses_x.",
      hint: "List them: drydock session list.",
    });
    const { sessionId } = await client.open();
    await expect(client.exec(sessionId, "crash")).rejects.toMatchObject({
      code: "internal",
      message: "Something went wrong inside Drydock: the dock broke",
    });
    client.disconnect();
  });

  it("cancels a step when it is asked to, and still answers it", async () => {
    const client = await connected();
    const { sessionId } = await client.open();
    const controller = new AbortController();
    const result = await client.exec(sessionId, "wait", {
      signal: controller.signal,
      onOutput: () => controller.abort(),
    });
    expect(result.error?.code).toBe("run.cancelled");
    client.disconnect();
  });

  it("cancels a step whose client is gone, and keeps the session", async () => {
    const client = await connected();
    const { sessionId } = await client.open();
    const started = Promise.withResolvers<void>();
    const step = client.exec(sessionId, "wait", { onOutput: () => started.resolve() });
    await started.promise;
    client.disconnect();
    await expect(step).rejects.toMatchObject({ code: "internal" });
    const other = await connected();
    await expect.poll(() => dock.log).toEqual([`cancelled ${sessionId}`]);
    expect(await other.list()).toMatchObject([{ sessionId }]);
    other.disconnect();
  });

  it("answers two clients at once", async () => {
    const [one, two] = [await connected(), await connected()];
    const { sessionId } = await one.open();
    const controller = new AbortController();
    const waits = one.exec(sessionId, "wait", { signal: controller.signal });
    expect((await two.exec((await two.open()).sessionId, "print 2")).stdout).toBe("2\n");
    controller.abort();
    expect((await waits).ok).toBe(false);
    one.disconnect();
    two.disconnect();
  });

  it("ends when its last session is closed and its last client has left, and leaves no socket", async () => {
    const client = await connected();
    const { sessionId } = await client.open();
    await client.close(sessionId);
    client.disconnect();
    await server.ended;
    expect(await readdir(home)).toEqual([]);
    expect(await connectKeeper(home)).toBeNull();
  });

  it("ends when its last session ended by itself", async () => {
    const client = await connected();
    const { sessionId } = await client.open();
    client.disconnect();
    await dock.sessions.get(sessionId).close();
    await server.ended;
  });

  it("ends when its home is removed", async () => {
    const client = await connected();
    await client.open();
    client.disconnect();
    await rm(home, { recursive: true });
    await server.ended;
  });

  it("ends when nobody comes", async () => {
    const lonelyHome = await mkdtemp(join(tmpdir(), "drydock-keeper-"));
    const lonely = await startKeeperServer(createFakeDock(lonelyHome), { watchMs: 10, graceMs: 30 });
    await lonely.ended;
    await rm(lonelyHome, { recursive: true });
  });

  it("takes the place of a dead keeper's socket", async () => {
    const other = await mkdtemp(join(tmpdir(), "drydock-keeper-"));
    await writeFile(join(other, "keeper.sock"), "");
    const fresh = await startKeeperServer(createFakeDock(other));
    const client = await connectKeeper(other);
    expect(await client?.list()).toEqual([]);
    client?.disconnect();
    await fresh.ended;
    await rm(other, { recursive: true });
  });

  it("serves a home whose path is too long for a socket", async () => {
    const long = join(home, "x".repeat(120));
    await mkdir(long);
    expect(await connectKeeper(long)).toBeNull();
    const fresh = await startKeeperServer(createFakeDock(long));
    expect((await stat(join(long, "keeper.sock"))).mode & 0o777).toBe(0o600);
    const client = await connectKeeper(long);
    expect(await client?.list()).toEqual([]);
    client?.disconnect();
    await fresh.ended;
    expect(await readdir(long)).toEqual([]);
  });
});

describe("what is no request", () => {
  it.each([
    ["no JSON", "{", null],
    ["an unknown operation", '{"id":7,"op":"shell","params":{}}', 7],
    ["an unknown parameter", '{"id":8,"op":"list","params":{"all":true}}', 8],
    ["a missing parameter", '{"id":9,"op":"exec","params":{"code":"1"}}', 9],
    ["no object", "[1]", null],
    ["an id that is no number", '{"id":"x","op":"list","params":{}}', null],
  ])("is answered with input.invalid: %s", async (_name, line, id) => {
    const { socket, next } = await speak();
    socket.write(`${line}\n`);
    expect(await next()).toMatchObject({ id, error: { code: "input.invalid" } });
    socket.write('{"id":1,"op":"list","params":{}}\n');
    expect(await next()).toEqual({ id: 1, result: [] });
    socket.destroy();
  });

  it("is answered with input.invalid and the end of the connection: a line without end", async () => {
    const path = join(home, "small.sock");
    const small = createServer((socket) => serveConnection(socket, dock, 1000)).listen(path);
    await once(small, "listening");
    const socket = connect(path);
    let text = "";
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
    socket.write("x".repeat(2000));
    await once(socket, "close");
    expect(JSON.parse(text.split("\n")[1] ?? "")).toMatchObject({ id: null, error: { code: "input.invalid" } });
    small.close();
  });
});
