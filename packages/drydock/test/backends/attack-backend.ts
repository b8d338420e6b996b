import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { getPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { createDock, type Dock } from "drydock";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../../src/base/testing/eventually.ts";
import { processesWith } from "../../src/base/testing/processes.ts";
import type { BackendDescriptor } from "../../src/sandbox/backends/backend.ts";
import { attacksOn, BOMBS, survivorsWith, type Target } from "./backend-attacks.ts";
import { type Engine, findTestEngine } from "./test-engines.ts";

type ExecResult = Awaited<ReturnType<Dock["exec"]>>;

const NAMES = Object.keys(attacksOn({ canary: "", directory: "", pid: 0, port: 0, socket: "", marker: "" }));

/**
 * Attacks one backend, where the machine has it. What each attack is judged by is what it did to the host: what code sees inside differs
 * from backend to backend.
 */
export function attackBackend({ backend, levels }: BackendDescriptor): void {
  const directory = mkdtempSync(join(tmpdir(), "drydock-backend-"));
  const outside = join(directory, "outside");
  const secret = randomBytes(12).toString("hex");
  const marker = `backend-survivor-${backend}-${process.pid}`;
  const target: Target = {
    canary: join(outside, "canary.txt"),
    directory: outside,
    pid: 0,
    port: 0,
    socket: join(directory, "host.sock"),
    marker,
  };
  const servers: Server[] = [];
  let callers = 0;
  let victim: ChildProcess;
  let dock: Dock;
  let unavailable: string | undefined;
  let engine: Engine | undefined;

  async function listen(at: number | string): Promise<Server> {
    const server = createServer((socket) => {
      callers++;
      socket.destroy();
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(at as number, resolve));
    return server;
  }

  const look = () => {
    const { mode, mtimeMs, uid } = statSync(target.canary);
    return { mode, mtimeMs, uid, text: readFileSync(target.canary, "utf8"), names: readdirSync(outside) };
  };

  beforeAll(async () => {
    mkdirSync(outside, { mode: 0o777 });
    writeFileSync(target.canary, secret, { mode: 0o644 });
    process.env.BACKEND_CANARY = secret;
    victim = spawn("sleep", ["600"], { stdio: "ignore" });
    target.pid = victim.pid ?? 0;
    target.port = ((await listen(0)).address() as AddressInfo).port;
    await listen(target.socket);
    const home = join(directory, "home");
    mkdirSync(home, { mode: 0o700 });
    const policy = { version: 1, sandbox: { backends: [backend], level: levels.at(-1) } };
    writeFileSync(join(home, "policy.yaml"), JSON.stringify(policy));
    engine = findTestEngine(backend, directory);
    dock = await createDock({ home, warm: 1 });
    const { error } = await dock.exec({ language: "python", code: "1" });
    // Only what the engine itself says is a reason to leave it out.
    if (error && engine && !engine.missing) throw new Error(`${backend}: ${error.message}`);
    if (error) unavailable = `${backend} can't be attacked here: ${engine?.missing ?? error.message}`;
    if (unavailable) process.stderr.write(`${unavailable}\n`);
  });
  afterAll(async () => {
    await dock?.close();
    engine?.restore();
    victim?.kill();
    for (const server of servers) server.close();
    delete process.env.BACKEND_CANARY;
    rmSync(directory, { recursive: true, force: true });
  });

  async function run(request: Parameters<Dock["exec"]>[0]): Promise<ExecResult> {
    const result = await dock.exec(request);
    expect(result.sandbox.backend).toBe(backend);
    expect(levels).toContain(result.sandbox.level);
    expect(JSON.stringify(result)).not.toContain(secret);
    return result;
  }

  test.for(NAMES)("stops an attack: %s", async (name, { skip }) => {
    skip(unavailable !== undefined, unavailable);
    const before = look();
    const request = attacksOn(target)[name];
    if (!request) throw new Error(`no attack ${name}`);
    await run(request);
    expect(look()).toEqual(before);
    expect(callers).toBe(0);
    expect([victim.exitCode, victim.signalCode, getPriority(target.pid)]).toEqual([null, null, getPriority()]);
  });

  test.for(Object.entries(BOMBS))("holds its limits: %s", async ([_name, { request, codes }], { skip }) => {
    skip(unavailable !== undefined, unavailable);
    expect(codes).toContain((await run(request)).error?.code);
  });

  test("leaves nothing of a run behind, and goes on", async ({ skip }) => {
    skip(unavailable !== undefined, unavailable);
    for (const request of Object.values(survivorsWith(marker))) await run(request);
    expect(await eventually(() => processesWith(marker).length === 0)).toBe(true);
    expect(await run({ language: "python", code: "print('still here')" })).toMatchObject({ stdout: "still here\n" });
  });
}
