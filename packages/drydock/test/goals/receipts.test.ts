import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDock, type Dock, verifyReceipt } from "drydock";
import { describe, expect, it, onTestFinished } from "vitest";
import { writeFiles } from "../../src/base/testing/write-files.ts";
import { verifyWithOpenssl } from "../../src/ledger/testing/verify-with-openssl.ts";
import { type GoalDock, openGoalDock } from "../testing/goal-dock.ts";

const BROKEN = "def add(a, b):\n    return a - b\n";
const FIXED = "def add(a, b):\n    return a + b\n";
const ADDS = { type: "command", cmd: "python3 -c 'import calc; assert calc.add(2, 3) == 5'", name: "add adds" };
const PLAN = { goal: "Make add() add", tasks: [{ id: "fix", attempts: 1, checks: [ADDS] }] };
const FIXES = [{ when: { step: "work" }, writes: [{ path: "calc.py", content: FIXED }] }];

function git(cwd: string, ...args: string[]): string {
  const identity = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "safe.directory=*"];
  return execFileSync("git", [...identity, ...args], { cwd, encoding: "utf8" }).trim();
}

async function runFixed(files: Record<string, string> = {}): Promise<{ t: GoalDock; runId: string }> {
  const t = await openGoalDock({ "calc.py": BROKEN, ...files });
  git(t.workspace, "init", "-q");
  git(t.workspace, "add", "--all");
  git(t.workspace, "commit", "-q", "-m", "first");
  const { runId, verdict } = await t.run(FIXES, { plan: PLAN });
  expect(verdict).toBe("passed");
  return { t, runId };
}

/** Another home, as on another machine. */
async function openStranger(): Promise<Dock> {
  const home = mkdtempSync(join(tmpdir(), "drydock-stranger-"));
  const dock = await createDock({ home, warm: 1 });
  onTestFinished(async () => {
    await dock.close();
    rmSync(home, { recursive: true, force: true });
  });
  return dock;
}

const payloadOf = (line = "") => JSON.parse(Buffer.from(JSON.parse(line).payload, "base64").toString());

describe("the receipt of a goal", () => {
  it("is made of in-toto statements that a verifier which is not ours accepts", async () => {
    const { t, runId } = await runFixed();
    const { text, keyId, notes } = await t.dock.runs.receipt(runId);
    expect(notes).toEqual([]);
    const { publicKey, id } = await t.dock.keys.current();
    expect(keyId).toBe(id);
    const lines = text.trim().split("\n");
    for (const line of lines) expect(verifyWithOpenssl(line, publicKey).valid).toBe(true);
    const run = await t.dock.runs.get(runId);
    git(t.workspace, "add", "--all");
    const subject = [
      { name: "tree", digest: { drydockTree: run.treeHash } },
      { name: "git-tree", digest: { gitTree: git(t.workspace, "write-tree") } },
    ];
    const facts = {
      run: { id: runId, kind: "goal", events: run.events, headHash: run.headHash },
      verdict: "passed",
      treeHash: run.treeHash,
      delivered: { branch: null, commit: null },
      ledger: (await t.dock.audit.verify()).head,
      recordSha256: null,
    };
    expect(lines.map(payloadOf)).toMatchObject([
      {
        _type: "https://in-toto.io/Statement/v1",
        subject,
        predicateType: "https://in-toto.io/attestation/test-result/v0.1",
        predicate: {
          result: "PASSED",
          configuration: [
            { name: "policy", digest: { sha256: expect.any(String) } },
            { name: "check: add adds", digest: { sha256: expect.any(String) } },
          ],
          passedTests: ["add adds"],
          warnedTests: [],
          failedTests: [],
          drydock: { ...facts, checks: [{ label: "add adds", verdict: "passed", source: expect.any(String) }] },
        },
      },
      {
        subject,
        predicateType: "https://in-toto.io/attestation/svr/v0.1",
        predicate: {
          verifier: { id: "urn:drydock:verifier:v1" },
          timeCreated: run.endedAt,
          properties: expect.arrayContaining(["DRYDOCK_CHECKS_PASSED", "DRYDOCK_DELIVERED"]),
          drydock: facts,
        },
      },
    ]);
    expect(await verifyReceipt(Buffer.from(text), { key: publicKey })).toMatchObject({
      ok: true,
      key: { pinned: true },
    });
  });

  it("stays valid after the key was rotated, and anchors the ledger like a head", async () => {
    const { t, runId } = await runFixed();
    const { text, keyId } = await t.dock.runs.receipt(runId);
    const { id } = await t.dock.keys.rotate();
    expect(id).not.toBe(keyId);
    expect(await verifyReceipt(Buffer.from(text), { key: keyId })).toMatchObject({ ok: true });
    expect(await verifyReceipt(Buffer.from(text), { key: id })).toMatchObject({ ok: false, problem: { part: "key" } });
    expect((await t.dock.runs.receipt(runId)).keyId).toBe(id);
    expect(await t.dock.audit.verify({ expect: text })).toMatchObject({ ok: true, anchors: [{ keyId }, { keyId }] });
    const stranger = await openStranger();
    expect(await stranger.audit.verify({ expect: text })).toMatchObject({ ok: false });
  });

  it("is made of a goal that failed, about the tree of its last attempt", async () => {
    const t = await openGoalDock({ "calc.py": BROKEN });
    const wrong = { repeat: "always", writes: [{ path: "calc.py", content: "def add(a, b):\n    return a * b\n" }] };
    const { runId, verdict } = await t.run([wrong], { plan: PLAN });
    expect(verdict).toBe("failed");
    const { text } = await t.dock.runs.receipt(runId, { withRecord: true });
    const report = await verifyReceipt(Buffer.from(text));
    expect(report).toMatchObject({
      ok: false,
      whole: true,
      facts: { verdict: "failed", treeHash: t.data("task.verified")[0]?.treeHash },
      checks: [{ label: "add adds", verdict: "failed" }],
    });
  });

  it("says which paths of a directory are not as they were judged, and where the receipt itself lies in it", async () => {
    const { t, runId } = await runFixed({ "gone.txt": "1" });
    const key = await t.dock.keys.current();
    const { text } = await t.dock.runs.receipt(runId, { withRecord: true });
    const plain = (await t.dock.runs.receipt(runId)).text;
    expect(await verifyReceipt(Buffer.from(text), { key: key.id, tree: t.workspace })).toMatchObject({ ok: true });
    writeFiles(t.workspace, { "fix.intoto.jsonl": plain, "calc.py": "x = 1\n" });
    rmSync(join(t.workspace, "gone.txt"));
    const compare = async (bytes: string) =>
      (await verifyReceipt(Buffer.from(bytes), { key: key.id, tree: t.workspace })).problem?.message;
    expect(await compare(text)).toContain("added fix.intoto.jsonl; changed calc.py; removed gone.txt.");
    expect(await compare(plain)).toContain("The receipt itself lies in it, as fix.intoto.jsonl: keep it elsewhere.");
  });

  it("names no git tree where the workspace has moved on, and none at all for what was not checked", async () => {
    const { t, runId } = await runFixed();
    writeFiles(t.workspace, { "calc.py": "something else\n" });
    const { text, notes } = await t.dock.runs.receipt(runId);
    expect(notes).toEqual([expect.stringContaining("the workspace has changed since the run")]);
    expect(payloadOf(text.split("\n")[0]).subject).toHaveLength(1);
    const { runId: plain } = await t.dock.exec({ code: "print(1)" });
    await expect(t.dock.runs.receipt(plain)).rejects.toMatchObject({ code: "input.invalid" });
    await expect(t.dock.runs.receipt("run_nobody")).rejects.toMatchObject({ code: "run.not_found" });
  });

  it("of a failed run says so, and is not ok", async () => {
    const t = await openGoalDock({ "calc.py": BROKEN });
    const { runId } = await t.dock.verify({
      workspace: t.workspace,
      checks: [{ type: "file_exists", path: "nothing" }],
    });
    const report = await verifyReceipt(Buffer.from((await t.dock.runs.receipt(runId)).text));
    expect(report).toMatchObject({ ok: false, whole: true, facts: { verdict: "failed" }, properties: [] });
  });

  it("is refused where somebody changed the run's record", async () => {
    const { t, runId } = await runFixed();
    const { DatabaseSync } = await import("node:sqlite");
    using database = new DatabaseSync(join(t.home, "ledger.db"), { timeout: 5000 });
    database.prepare("update events set data = '{}' where run_id = ? and seq = 2").run(runId);
    await expect(t.dock.runs.receipt(runId)).rejects.toMatchObject({
      code: "input.invalid",
      message: expect.stringContaining("event 2"),
    });
  });
});

describe("a record", () => {
  it("is executed again in a home that never saw the run, and comes out the same", async () => {
    const { t, runId } = await runFixed({ "sub/data.txt": "x\n" });
    const { text, notes, keyId } = await t.dock.runs.receipt(runId, { withRecord: true });
    expect(notes).toEqual([]);
    rmSync(t.workspace, { recursive: true });
    const stranger = await openStranger();
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith("drydock-replay-"));
    const replay = await stranger.runs.replayReceipt(Buffer.from(text), { key: keyId });
    expect(replay).toMatchObject({ ok: true, verdict: "passed", replayOf: runId, divergences: [] });
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith("drydock-replay-"))).toEqual(before);
    await expect(stranger.runs.get(runId)).rejects.toMatchObject({ code: "run.not_found" });
    expect((await stranger.runs.get(String(replay.runId))).verdict).toBe("passed");
  });

  it("of a verification is judged again, and a directory that differs is a divergence", async () => {
    const t = await openGoalDock({ "calc.py": FIXED, "dir/tool.sh": "#!/bin/sh\n" });
    symlinkSync("calc.py", join(t.workspace, "link"));
    const checks = [ADDS as never, { type: "file_contains" as const, path: "calc.py", needle: "a + b" }];
    const { runId } = await t.dock.verify({ workspace: t.workspace, checks });
    const { text } = await t.dock.runs.receipt(runId, { withRecord: true });
    const stranger = await openStranger();
    expect(await stranger.runs.replayReceipt(Buffer.from(text))).toMatchObject({
      ok: true,
      verdict: "passed",
      steps: 2,
    });
    const other = join(t.workspace, "..", "other");
    mkdirSync(other);
    writeFileSync(join(other, "calc.py"), BROKEN);
    const wrong = await stranger.runs.replayReceipt(Buffer.from(text), { workspace: other });
    expect(wrong.divergences.map(({ step }) => step)).toEqual(["workspace", "check 1", "check 2"]);
  });

  it("holds no file that the policy hides, and says so", async () => {
    const { t, runId } = await runFixed({ ".env": "TOKEN=hidden-from-runs\n" });
    const { text, notes } = await t.dock.runs.receipt(runId, { withRecord: true });
    expect(notes).toEqual([expect.stringContaining(".env")]);
    const record = payloadOf(text.trim().split("\n")[2]);
    const contents = Object.values(record.contents as Record<string, string>).map((each) =>
      Buffer.from(each, "base64"),
    );
    expect(contents.some((bytes) => bytes.includes("hidden-from-runs"))).toBe(false);
    const stranger = await openStranger();
    await expect(stranger.runs.replayReceipt(Buffer.from(text))).rejects.toMatchObject({
      code: "input.invalid",
      hint: expect.stringContaining("--workspace"),
    });
    git(t.workspace, "checkout", "-q", ".");
    expect(await stranger.runs.replayReceipt(Buffer.from(text), { workspace: t.workspace })).toMatchObject({
      ok: true,
    });
  });

  it("is not executed without one, or where a byte was changed", async () => {
    const { t, runId } = await runFixed();
    const { text } = await t.dock.runs.receipt(runId);
    const replay = (bytes: string, key?: string) => t.dock.runs.replayReceipt(Buffer.from(bytes), { key });
    await expect(replay(text)).rejects.toMatchObject({ message: expect.stringContaining("it has no record") });
    const whole = (await t.dock.runs.receipt(runId, { withRecord: true })).text;
    await expect(replay(whole.replace("A", "B"))).rejects.toMatchObject({ code: "input.invalid" });
    await expect(replay(whole, "0".repeat(64))).rejects.toMatchObject({ message: expect.stringContaining("key") });
  });
});

it("the private key is in no other file of the home, no event and no export", async () => {
  const { t, runId } = await runFixed();
  await t.dock.runs.receipt(runId, { withRecord: true });
  await t.dock.audit.anchor();
  await t.dock.runs.writeRecords(runId);
  const secret = (readFileSync(join(t.home, "keys", "signing.key"), "utf8").split("\n")[1] ?? "").slice(-30);
  expect(secret).toHaveLength(30);
  const files = readdirSync(t.home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const holding = files.filter((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1").includes(secret));
  expect(holding.map(({ name }) => name)).toEqual(["signing.key"]);
  let exported = "";
  for await (const line of t.dock.audit.export()) exported += line;
  expect(exported).not.toContain(secret);
});
