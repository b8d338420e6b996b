import { once } from "node:events";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { ExecOptions } from "drydock";
import { describe, expect, it, onTestFinished } from "vitest";
import { alterColumn, alterContent, alterEvent, alterLedger, fileOf } from "../testing/alter-record.ts";
import { openTestDock } from "../testing/test-dock.ts";

const test = openTestDock({
  policy: "version: 1\nnetwork:\n  allow: { default: [], max: ['127.0.0.1:*'] }\n",
});
const replay = (id: string, options = {}) => test.dock.runs.replay(id, options);
const LONG = `result = ${JSON.stringify("x".repeat(70_000))}[:3]\nprint(len(result))`;

describe("a replay of an execution", () => {
  it.each<[string, ExecOptions]>([
    ["Python", { code: "print('out')\nimport sys\nsys.stderr.write('err')\n[1, 2]" }],
    ["Node", { language: "node", code: "console.log(process.argv.slice(2))", args: ["a", "b"] }],
    ["bash", { language: "bash", code: "echo $1; exit 3", args: ["word"] }],
    ["a command", { command: ["python3", "-c", "print(1)"] }],
    ["an exception", { code: "1 / 0", filename: "broken.py" }],
    ["a limit", { code: "while True: pass", policy: { limits: { wallSeconds: 1 } } }],
    ["a file that it writes", { code: "open('a.txt', 'w').write('a')" }],
    ["code that is too long for an event", { code: LONG }],
    ["output that is too long for an event", { code: "print('y' * 100_000)" }],
    ["bytes that are no text", { code: "import sys\nsys.stdout.buffer.write(bytes(range(256)))" }],
    ["what the guard refuses", { code: "import ctypes", policy: { python: { guard: "strict" } } }],
    ["text on its standard input", { code: "print(input()[::-1])", stdin: "hello\n" }],
  ])("comes out the same: %s", async (_, request) => {
    const { runId } = await test.dock.exec(request);
    const again = await replay(runId);
    expect(again.divergences).toEqual([]);
    expect(again).toMatchObject({ ok: true, replayOf: runId, notes: [] });
    const [created] = await test.dock.runs.events(again.runId ?? "");
    expect(created?.data).toMatchObject({ replayOf: runId, title: `Replay of ${runId}` });
    expect(await replay(again.runId ?? "")).toMatchObject({ ok: true, replayOf: again.runId });
  });

  it("has what a stream delivered", async () => {
    const stdin = Readable.from([Buffer.from("one\n"), Buffer.from("two\n")]);
    const { runId } = await test.dock.exec({ code: "import sys\nprint(sys.stdin.read().upper())", stdin });
    expect(await replay(runId)).toMatchObject({ ok: true });
    const [input] = (await test.dock.runs.events(runId)).flatMap(({ data }) => (data.stdin ? [data.stdin] : []));
    alterContent(test.home, (input as { sha256: string }).sha256);
    const altered = await replay(runId);
    expect(altered.divergences[0]).toMatchObject({ what: "the recorded input", cause: "record" });
  });

  it.each([
    ["status", "status", "cancelled"],
    ["error_code", "errorCode", "policy.command_denied"],
    ["verdict", "verdict", "passed"],
  ])("names the column %s of the run that was altered", async (column, name, value) => {
    const { runId } = await test.dock.exec({ code: "print('first')" });
    alterColumn(test.home, runId, column, value);
    const { ok, divergences } = await replay(runId);
    expect(ok).toBe(false);
    expect(divergences[0]).toMatchObject({ what: `the run's ${name}`, cause: "record", replayed: value });
  });

  it("names code that was altered, in an event and in the store", async () => {
    const { runId } = await test.dock.exec({ code: "print('first')" });
    alterEvent(test.home, runId, "run.created", "print('first')", "print('other')");
    const [cause, ...rest] = (await replay(runId)).divergences;
    expect(cause).toMatchObject({ step: "run.created", what: "event 0 (run.created)", cause: "record" });
    expect(rest).toMatchObject([{ what: "stdout", recorded: "first\n", replayed: "other\n", follows: true }]);
    const long = await test.dock.exec({ code: LONG });
    const [created] = await test.dock.runs.events(long.runId);
    alterContent(test.home, Object(created?.data.request).codeSha256);
    const again = await replay(long.runId);
    expect(again).toMatchObject({ ok: false, runId: null });
    expect(again.divergences[0]).toMatchObject({ what: "the recorded code", cause: "record" });
  });

  it.each([
    ["an event that is no JSON any more", "event 2", "update events set data = '{' where seq = 2 and run_id"],
    ["one that is no object", "event 2", "update events set data = 'null' where seq = 2 and run_id"],
    ["all events", "the run's status", "delete from events where run_id"],
    ["a kind that there is not", "the run's kind", "update runs set kind = 'bogus' where id"],
    ["an artifact that is gone from the list", "the artifact o.txt", "delete from artifacts where run_id"],
  ])("names what was altered: %s", async (_, what, change) => {
    const { runId } = await test.dock.exec({ code: "open('o.txt', 'w').write('x')\nprint('said')" });
    alterLedger(test.home, `${change} = '${runId}'`);
    const { ok, divergences } = await replay(runId);
    expect(ok).toBe(false);
    expect(divergences[0]).toMatchObject({ what, cause: "record" });
  });

  it("names the status where the last event was cut off and the row made to fit", async () => {
    const { runId } = await test.dock.exec({ code: "print('said')" });
    const [last] = (await test.dock.runs.events(runId)).slice(-2);
    alterLedger(test.home, `delete from events where seq > ${last?.seq} and run_id = '${runId}'`);
    const row = `head_hash = '${last?.hash}', events = ${(last?.seq ?? 0) + 1}`;
    alterLedger(test.home, `update runs set ${row} where id = '${runId}'`);
    const [cause] = (await replay(runId)).divergences;
    expect(cause).toMatchObject({ what: "the run's status", cause: "record", recorded: null, replayed: "succeeded" });
  });

  it("names a stored content whose file is gone", async () => {
    const { runId } = await test.dock.exec({ code: LONG });
    const [created] = await test.dock.runs.events(runId);
    rmSync(fileOf(test.home, Object(created?.data.request).codeSha256), { force: true });
    const [cause] = (await replay(runId)).divergences;
    expect(cause).toMatchObject({
      what: "the recorded code",
      replayed: expect.stringMatching(/its file is missing\.$/),
    });
  });

  it("names output and a result that were altered", async () => {
    const { runId } = await test.dock.exec({ code: "print('said')\n41" });
    alterEvent(test.home, runId, "output.recorded", "said", "SAID");
    expect((await replay(runId)).divergences).toMatchObject([
      { step: "output.recorded", cause: "record" },
      { step: "run", what: "stdout", recorded: "SAID\n", replayed: "said\n", follows: true },
    ]);
    const other = await test.dock.exec({ code: "41" });
    alterEvent(test.home, other.runId, "run.succeeded", '"result":41', '"result":42');
    expect((await replay(other.runId)).divergences).toMatchObject([
      { step: "run.succeeded", cause: "record" },
      { what: "result", recorded: 42, replayed: 41, follows: true },
    ]);
  });

  it("names the content of a changed file that was altered", async () => {
    const workspace = test.makeWorkspace({ "a.txt": "a" });
    const { runId } = await test.dock.exec({ code: "open('b.txt', 'w').write('written')", workspace });
    const [stored] = (await test.dock.runs.artifacts(runId)).filter(({ name }) => name === "b.txt");
    alterContent(test.home, stored?.sha256);
    expect((await replay(runId)).divergences[0]).toMatchObject({ cause: "record" });
  });
});

describe("a replay on a workspace", () => {
  const CHANGE = "text = open('a.txt').read()\nopen('a.txt', 'w').write(text + '!')\nprint(text)";

  it("leaves it alone, and takes the run's own delivery back", async () => {
    const workspace = test.makeWorkspace({ "a.txt": "a", "sub/b.txt": "b" });
    const { runId } = await test.dock.exec({ code: CHANGE, workspace });
    expect(await replay(runId)).toMatchObject({ ok: true });
    expect(readFileSync(join(workspace, "a.txt"), "utf8")).toBe("a");
    await test.dock.runs.apply(runId);
    expect(readFileSync(join(workspace, "a.txt"), "utf8")).toBe("a!");
    const again = await replay(runId);
    expect(again.divergences).toEqual([]);
    expect(readFileSync(join(workspace, "a.txt"), "utf8")).toBe("a!");
    expect((await test.dock.runs.events(again.runId ?? "")).some(({ type }) => type === "layer.applied")).toBe(false);
  });

  it("that others changed has one cause, and a copy of the old state has none", async () => {
    const workspace = test.makeWorkspace({ "a.txt": "a" });
    const copy = test.makeWorkspace({ "a.txt": "a" });
    const { runId } = await test.dock.exec({ code: CHANGE, workspace });
    writeFileSync(join(workspace, "a.txt"), "other");
    const { divergences } = await replay(runId);
    expect(divergences[0]).toMatchObject({ step: "workspace", what: "the tree", cause: "workspace" });
    expect(divergences.filter(({ follows }) => !follows)).toHaveLength(1);
    expect(divergences.map(({ what }) => what)).toContain("stdout");
    expect(await replay(runId, { workspace: copy })).toMatchObject({ ok: true });
    expect(readdirSync(copy)).toEqual(["a.txt"]);
  });

  it("that is gone says what to give", async () => {
    const workspace = test.makeWorkspace({ "a.txt": "a" });
    const { runId } = await test.dock.exec({ code: "1", workspace });
    rmSync(workspace, { recursive: true });
    const refused = { code: "input.invalid", hint: expect.stringContaining("--workspace") };
    await expect(replay(runId)).rejects.toMatchObject({ ...refused, message: /not there any more/ });
  });
});

describe("a replay is refused", () => {
  it("for a run that there is not, or that is under way", async () => {
    await expect(replay("run_nothing")).rejects.toMatchObject({ code: "run.not_found" });
    const started = Promise.withResolvers<string>();
    const stop = new AbortController();
    const options = { onStarted: started.resolve, signal: stop.signal };
    const running = test.dock.exec({ code: "import time\ntime.sleep(60)", ...options });
    const runId = await started.promise;
    await expect(replay(runId)).rejects.toMatchObject({ code: "input.invalid", message: /still under way/ });
    stop.abort();
    await running;
    await expect(replay(runId)).rejects.toMatchObject({ code: "input.invalid", message: /was cancelled/ });
  });

  it("without the network that the run used, and names hosts and flag", async () => {
    const server = createServer((_, response) => response.end("served"));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const code = `import urllib.request\nprint(urllib.request.urlopen("http://${host}/").read())`;
    const { runId, stdout } = await test.dock.exec({ code, policy: { network: { allow: [host] } } });
    expect(stdout).toContain("served");
    const refused = { code: "policy.network_denied", message: expect.stringContaining(host) };
    await expect(replay(runId)).rejects.toMatchObject({ ...refused, hint: expect.stringContaining("--network") });
    expect(await replay(runId, { network: true })).toMatchObject({ ok: true });
  });

  it("where a secret was taken out of the code or the input", async () => {
    const secret = `ghp_${"aB3dE6gH9jK2".repeat(3)}`;
    const { runId } = await test.dock.exec({ code: `key = "${secret}"\nprint(len(key))` });
    await expect(replay(runId)).rejects.toMatchObject({ code: "input.invalid", message: /secret/ });
    const piped = await test.dock.exec({ code: "print(len(input()))", stdin: secret });
    await expect(replay(piped.runId)).rejects.toMatchObject({ code: "input.invalid", message: /input held a secret/ });
    const long = await test.dock.exec({ code: `${LONG}\nkey = "${secret}"` });
    await expect(replay(long.runId)).rejects.toMatchObject({ code: "input.invalid" });
    for (const file of readdirSync(join(test.home, "artifacts"), { recursive: true, withFileTypes: true })) {
      if (file.isFile()) expect(readFileSync(join(file.parentPath, file.name), "latin1")).not.toContain(secret);
    }
  });

  it("where today's policy does not allow what the run had", async () => {
    const { runId } = await test.dock.exec({ code: "print(1)", policy: { limits: { memoryMb: 512 } } });
    const file = join(test.home, "policy.yaml");
    const before = readFileSync(file, "utf8");
    writeFileSync(file, `${before}limits: { memoryMb: { default: 128, max: 256 } }\n`);
    onTestFinished(() => writeFileSync(file, before));
    await expect(replay(runId)).rejects.toMatchObject({ code: expect.stringMatching(/^policy\./) });
  });

  it("where a record asks for more than today's policy has", async () => {
    const { runId } = await test.dock.exec({ code: "print(1)" });
    alterEvent(test.home, runId, "run.created", '"wallSeconds":', '"wallSeconds":9000000');
    const again = await replay(runId);
    expect(again).toMatchObject({ ok: false, runId: null });
    expect(again.divergences[0]).toMatchObject({ cause: "record" });
    const before = (await test.dock.runs.list({ limit: 1 })).runs[0];
    expect(before?.id).toBe(runId);
  });

  it("where an altered record asks for no sandbox, or names directories of the host", async () => {
    const file = join(test.home, "policy.yaml");
    const before = readFileSync(file, "utf8");
    writeFileSync(file, `${before}sandbox: { backends: [namespaces, unconfined] }\n`);
    onTestFinished(() => writeFileSync(file, before));
    const look = "import os\nprint(os.path.exists('/opt/secret'))";
    const { runId } = await test.dock.exec({ code: look });
    alterEvent(test.home, runId, "run.created", '"unsafe":false', '"unconfined":true,"unsafe":false');
    const outside = await replay(runId);
    expect(outside).toMatchObject({ ok: false, runId: null });
    expect(outside.divergences[1]?.replayed).toContain("without a sandbox");
    const other = await test.dock.exec({ code: look });
    const mounts = '"shelves":[{"source":"/etc","target":"/opt/secret"}],"title"';
    alterEvent(test.home, other.runId, "run.created", '"title"', mounts);
    const { divergences } = await replay(other.runId);
    expect(divergences).toMatchObject([{ step: "run.created", cause: "record" }]);
  });

  it("when it is cancelled", async () => {
    const { runId } = await test.dock.exec({ code: "while True: pass", policy: { limits: { wallSeconds: 2 } } });
    await expect(replay(runId, { signal: AbortSignal.timeout(300) })).rejects.toMatchObject({ code: "run.cancelled" });
  });
});
