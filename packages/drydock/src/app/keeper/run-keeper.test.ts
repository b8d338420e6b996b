import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { connectKeeper, ensureKeeper } from "./connect-keeper.ts";
import { tryKeeperLock } from "./keeper-lock.ts";
import { startKeeper } from "./start-keeper.ts";

const CHILD = fileURLToPath(new URL("./testing/keeper-child.ts", import.meta.url));
const NODE_ARGUMENTS = ["--conditions=drydock-source", "--disable-warning=ExperimentalWarning"];

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "drydock-keeper-"));
});

afterEach(() => rm(home, { recursive: true, force: true }));

const start = (mode = "") => startKeeper({ entry: CHILD, nodeArguments: NODE_ARGUMENTS, arguments: [home, mode] });
const connect = () => ensureKeeper(home, start);
const isFree = () => {
  const lock = tryKeeperLock(home);
  lock?.[Symbol.dispose]();
  return lock !== null;
};

describe("a keeper process", () => {
  it("starts with the first session, is shared, and ends with the last", async () => {
    const one = await connect();
    const { sessionId } = await one.open();
    one.disconnect();
    const two = await connect();
    expect(await two.list()).toMatchObject([{ sessionId }]);
    expect((await readdir(home)).sort()).toEqual(["keeper.lock", "keeper.sock"]);
    await two.close(sessionId);
    two.disconnect();
    await expect.poll(isFree).toBe(true);
    expect(await readdir(home)).toEqual(["keeper.lock"]);
  });

  it("exists once, however many start at the same time", async () => {
    const clients = await Promise.all([connect(), connect(), connect(), connect()]);
    const opened = await Promise.all(clients.map((client) => client.open()));
    expect(new Set(opened.map(({ sessionId }) => sessionId)).size).toBe(4);
    expect(await clients[0]?.list()).toHaveLength(4);
    await Promise.all(opened.map(({ sessionId }) => clients[0]?.close(sessionId)));
    for (const client of clients) client.disconnect();
    await expect.poll(isFree).toBe(true);
  });

  it("is replaced after it was killed, and a step that was under way says so", async () => {
    const client = await connect();
    const { sessionId } = await client.open();
    await expect(client.exec(sessionId, "exit")).rejects.toMatchObject({ code: "internal" });
    expect(await readdir(home)).toContain("keeper.sock");
    expect(await connectKeeper(home)).toBeNull();
    const next = await connect();
    expect(await next.list()).toEqual([]);
    next.disconnect();
    await expect.poll(isFree).toBe(true);
  });

  it("passes on why it could not start", async () => {
    await expect(start("broken")).rejects.toMatchObject({ code: "sandbox.unavailable", hint: "Install one." });
    expect(isFree()).toBe(true);
  });

  it("says so when it ended without a word", async () => {
    const program = { entry: "-e", nodeArguments: [], arguments: ["process.exit(3)"] };
    await expect(startKeeper(program)).rejects.toMatchObject({ code: "internal" });
  });
});
