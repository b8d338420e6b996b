import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDock, type Dock, serve } from "drydock";
import { afterAll, beforeAll, expect, it } from "vitest";
import { connectKeeper } from "../../src/app/keeper/connect-keeper.ts";
import { startKeeperServer } from "../../src/app/keeper/keeper-server.ts";

const place = mkdtempSync(join(tmpdir(), "drydock-large-"));
const workspace = join(place, "work");
let dock: Dock;

beforeAll(async () => {
  mkdirSync(workspace);
  // Takes no room, and hours to read.
  writeFileSync(join(workspace, "huge"), "");
  truncateSync(join(workspace, "huge"), 4 * 1024 ** 4);
  dock = await createDock({ home: join(place, "home"), warm: 1 });
});
afterAll(async () => {
  await dock.close();
  rmSync(place, { recursive: true, force: true });
});

it("is given up when its caller does", async () => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 100);
  const { error } = await dock.exec({ code: "print(1)", workspace, signal: controller.signal });
  expect(error?.code).toBe("run.cancelled");
});

it("is given up when the run's time is over, and says what took it", async () => {
  const { error } = await dock.exec({ code: "print(1)", workspace, policy: { limits: { wallSeconds: 1 } } });
  expect(error).toMatchObject({ code: "limit.timeout", message: expect.stringContaining("Reading the workspace") });
});

it("tells how far it is", async () => {
  const many = join(place, "many");
  mkdirSync(many);
  for (let number = 0; number < 600; number += 1) writeFileSync(join(many, `${number}`), `${number}`);
  const replies: number[] = [];
  const { ok } = await dock.exec({ code: "1", workspace: many, onReading: ({ scanned }) => replies.push(scanned) });
  expect(ok).toBe(true);
  expect(replies.filter((count) => count % 256 === 0 || count === 600)).toEqual(
    expect.arrayContaining([256, 512, 600]),
  );
});

it("lets goals and verification go, too", async () => {
  const stop = () => AbortSignal.timeout(100);
  const checks = [{ type: "file_exists" as const, path: "huge" }];
  await expect(dock.verify({ workspace, checks, signal: stop() })).rejects.toMatchObject({ code: "run.cancelled" });
});

it("lets the opening of a session go, and leaves none behind", async () => {
  const opening = dock.sessions.open({ workspace, signal: AbortSignal.timeout(100) });
  await expect(opening).rejects.toMatchObject({ code: "run.cancelled" });
  expect(dock.sessions.list()).toEqual([]);
});

it("lets clients of the server go", async () => {
  const newest = async () => (await dock.runs.list({ limit: 1 })).runs[0];
  const before = await newest();
  const server = await serve([], { port: 0, dock });
  const headers = { authorization: `Bearer ${server.token}`, "content-type": "application/json" };
  const post = (path: string, body: object) =>
    fetch(`${server.url}${path}`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(200),
    });
  await expect(post("/execute", { code: "1", workspace })).rejects.toThrow();
  await expect(post("/sessions", { workspace })).rejects.toThrow();
  // Waits for what is under way.
  await server.close();
  const after = await newest();
  expect(after).toMatchObject({ status: "cancelled" });
  expect(after?.id).not.toBe(before?.id);
  expect(dock.sessions.list()).toEqual([]);
});

it("lets clients of the keeper go", async () => {
  const keeper = await startKeeperServer(dock, {});
  const client = (await connectKeeper(dock.home)) ?? expect.fail("No keeper answers.");
  const opening = client.open({ workspace, signal: AbortSignal.timeout(100) });
  await expect(opening).rejects.toMatchObject({ code: "run.cancelled" });
  client.disconnect();
  keeper.stop();
  expect(dock.sessions.list()).toEqual([]);
});

it("lets the command line go at the first interrupt", async () => {
  const main = new URL("../../src/surfaces/cli/main.ts", import.meta.url).pathname;
  const child = spawn(
    process.execPath,
    [
      "--conditions=drydock-source",
      "--disable-warning=ExperimentalWarning",
      main,
      "exec",
      "-c",
      "1",
      "--workspace",
      workspace,
    ],
    { env: { ...process.env, DRYDOCK_HOME: join(place, "home-of-command") }, stdio: ["ignore", "pipe", "pipe"] },
  );
  let text = "";
  let isTold = false;
  child.stderr.on("data", (data: Buffer) => {
    text += String(data);
    // The second one would not wait for anything.
    if (!isTold && text.includes("reading the workspace")) isTold = child.kill("SIGINT");
  });
  const status = await new Promise((resolve) => child.once("close", resolve));
  expect({ status, text }).toEqual({ status: 130, text: expect.stringContaining("cancelled") });
});
