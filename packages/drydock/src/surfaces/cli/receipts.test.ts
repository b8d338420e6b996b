import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FIXES, PLAN, useGoalPlace } from "./testing/goal-workspace.ts";
import { runCli, runJson, spawnCli } from "./testing/run-cli.ts";
import { useHome } from "./testing/use-home.ts";

const home = useHome();
const goals = useGoalPlace();
const elsewhere = mkdtempSync(join(tmpdir(), "drydock-elsewhere-"));
afterAll(() => rmSync(elsewhere, { recursive: true, force: true }));
const out = (name: string) => join(elsewhere, name);

let runId: string;
let workspace: string;
beforeAll(async () => {
  workspace = await goals.workspace();
  git("init", "-q");
  git("add", "--all");
  git("commit", "-q", "-m", "first");
  const plan = await goals.write("plan.json", PLAN);
  expect((await runCli("run", "--plan", plan, ...(await goals.work(workspace, [FIXES])))).status).toBe(0);
  const { value } = await runJson("runs", "list");
  runId = (value.runs as { id: string }[])[0]?.id ?? "";
});

function git(...args: string[]): string {
  const identity = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "safe.directory=*"];
  return execFileSync("git", [...identity, ...args], { cwd: workspace, encoding: "utf8" }).trim();
}

describe("drydock keys", () => {
  it("makes a key with the first use, lists it, and exports its public half only", async () => {
    expect((await runCli("keys", "list")).stdout).toContain("No key yet");
    const pem = (await runCli("keys", "export")).stdout;
    expect(pem).toMatch(/^-----BEGIN PUBLIC KEY-----\n/);
    const { value } = await runJson("keys", "list");
    expect(value.keys).toMatchObject([{ current: true, publicKey: pem }]);
    const [{ id } = { id: "" }] = value.keys as { id: string }[];
    expect((await runCli("keys", "list")).stdout).toContain(id);
    const file = out("home.pub");
    expect(await runJson("keys", "export", id.slice(0, 8), "--out", file)).toMatchObject({ status: 0, value: { id } });
    expect(readFileSync(file, "utf8")).toBe(pem);
    expect((await runJson("keys", "export", "zz")).status).toBe(2);
  });

  it("refuses a private key that others can read, and says what to run", async () => {
    const file = join(home(), "keys", "signing.key");
    chmodSync(file, 0o644);
    const refused = await runCli("audit", "anchor");
    expect(refused.status).toBe(3);
    expect(refused.stderr).toContain(`chmod 600 ${file}`);
    chmodSync(file, 0o600);
    expect((await runCli("audit", "anchor")).status).toBe(0);
  });
});

describe("drydock receipt", () => {
  it("verifies what drydock runs receipt wrote, without a home", async () => {
    const file = out("receipt.intoto.jsonl");
    expect(await runJson("runs", "receipt", runId.slice(4, -1), "--out", file)).toMatchObject({
      status: 0,
      value: { runId, file },
    });
    const empty = join(elsewhere, "no-home");
    const verified = await spawnCli(empty, ["receipt", "verify", file, "--key", out("home.pub")]).finished;
    expect(verified).toMatchObject({ status: 0, stderr: "" });
    expect(verified.stdout).toContain("✓ The receipt is intact. Verdict: passed, 2 of 2 checks passed.");
    expect(verified.stdout).toContain("the key that you named");
    expect(existsSync(empty)).toBe(false);
    expect((await runCli("receipt", "verify", file)).stdout).toContain("The key came with the receipt");
    expect(await runJson("receipt", "verify", file)).toMatchObject({ status: 0, value: { ok: true } });
  });

  it("compares a directory with the tree that was judged", async () => {
    const file = out("receipt.intoto.jsonl");
    expect(await runCli("receipt", "verify", file, "--tree", workspace)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/directory +is this tree/),
    });
    writeFileSync(join(workspace, "more"), "x");
    expect(await runJson("receipt", "verify", file, "--tree", workspace)).toMatchObject({
      status: 1,
      value: { ok: false, whole: true, sameTree: false, problem: { part: "subject" } },
    });
    rmSync(join(workspace, "more"));
    expect((await runJson("receipt", "verify", file, "--tree", "/nowhere")).status).toBe(2);
  });

  it("fails with status 1 for a changed byte or another's key, and says what does not fit", async () => {
    const text = readFileSync(out("receipt.intoto.jsonl"), "utf8");
    const changed = out("changed.jsonl");
    const at = text.indexOf('"sig":"') + 12;
    writeFileSync(changed, `${text.slice(0, at)}${text[at] === "A" ? "B" : "A"}${text.slice(at + 1)}`);
    const reply = await runCli("receipt", "verify", changed);
    expect(reply).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/^✗ The receipt is not valid \(line 1, signature\)/),
    });
    const other = await runJson("receipt", "verify", out("receipt.intoto.jsonl"), "--key", "0".repeat(64));
    expect(other).toMatchObject({ status: 1, value: { ok: false, problem: { part: "key" } } });
    for (const words of [["/nowhere"], [changed, "--key", changed], [changed, "--key", "/nowhere"]]) {
      expect((await runJson("receipt", "verify", ...words)).status).toBe(2);
    }
  });

  it("fails with status 1 for a receipt that says that checks failed", async () => {
    const checks = await goals.write("checks.json", { checks: [{ type: "file_exists", path: "nothing" }] });
    const { value } = await runJson("verify", "--checks", checks, "--workspace", workspace);
    const file = out("failed.jsonl");
    expect((await runCli("runs", "receipt", String(value.runId), "--out", file)).status).toBe(0);
    expect(await runCli("receipt", "verify", file)).toMatchObject({
      status: 1,
      stdout: expect.stringContaining("✗ The receipt is intact. Verdict: failed, 0 of 1 check passed."),
    });
  });

  it("executes a record again in another home", async () => {
    const file = out("with-record.jsonl");
    expect((await runCli("runs", "receipt", runId, "--with-record", "--out", file)).status).toBe(0);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const replayed = await spawnCli(join(elsewhere, "stranger"), ["receipt", "replay", file]).finished;
    expect(replayed).toMatchObject({ status: 0, stdout: expect.stringContaining("no divergence (verdict passed") });
    expect((await runJson("receipt", "replay", out("receipt.intoto.jsonl"))).status).toBe(2);
  });
});

describe("drydock audit anchor", () => {
  it("appends signed heads to a file, which a ledger that only grew still holds", async () => {
    const file = out("heads.jsonl");
    await runCli("audit", "anchor", "--file", file);
    await runCli("exec", "-c", "print(1)");
    await runCli("audit", "anchor", "--file", file);
    expect(readFileSync(file, "utf8").trim().split("\n")).toHaveLength(2);
    const held = await runCli("audit", "verify", "--expect", file);
    expect(held).toMatchObject({ status: 0, stdout: expect.stringMatching(/anchor \d+ of .*\n {2}anchor \d+ of /) });
    expect((await runCli("audit", "verify", "--expect", out("receipt.intoto.jsonl"))).status).toBe(0);
    const { value } = await runJson("audit", "verify");
    const { hash } = value.head as { hash: string };
    expect((await runCli("audit", "verify", "--expect", hash)).status).toBe(0);
    const unknown = await runCli("audit", "verify", "--expect", "0".repeat(64));
    expect(unknown).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/^✗ No entry of the chain has the hash 0+/),
    });
    expect((await runJson("audit", "verify", "--expect", "/nowhere")).status).toBe(2);
    appendFileSync(file, "nonsense\n");
    expect((await runJson("audit", "verify", "--expect", file)).status).toBe(2);
  });

  it("adds them to the notes of a commit, and changes nothing else there", async () => {
    const before = [git("rev-parse", "HEAD"), git("status", "--porcelain")];
    for (let i = 0; i < 2; i++) {
      const { status, value } = await runJson("audit", "anchor", "--git-note", workspace);
      expect({ status, commit: value.commit }).toEqual({ status: 0, commit: before[0] });
    }
    expect([git("rev-parse", "HEAD"), git("status", "--porcelain")]).toEqual(before);
    writeFileSync(out("note"), git("notes", "--ref=drydock", "show"));
    const { status, value } = await runJson("audit", "verify", "--expect", out("note"));
    expect({ status, anchors: value.anchors }).toMatchObject({ status: 0, anchors: [{ ok: true }, { ok: true }] });
    expect((await runJson("audit", "anchor", "--git-note", elsewhere)).status).toBe(2);
    expect((await runJson("audit", "anchor", "--git-note", "/nowhere")).status).toBe(2);
  });

  it("gives them to a command of the owner's, whose failure is one", async () => {
    expect((await runCli("audit", "anchor", "--command", `cat > ${out("taken")}`)).status).toBe(0);
    expect((await runCli("audit", "verify", "--expect", out("taken"))).status).toBe(0);
    expect(await runJson("audit", "anchor", "--command", "exit 3")).toMatchObject({
      status: 1,
      value: { error: { code: "code.exit", message: expect.stringContaining("status 3") } },
    });
    expect((await runJson("audit", "anchor", "--command", "true", "--file", out("x"))).status).toBe(2);
  });

  it("exposes a ledger that was deleted", async () => {
    await runCli("audit", "anchor", "--file", out("last.jsonl"));
    for (const name of ["ledger.db", "ledger.db-wal", "ledger.db-shm"]) rmSync(join(home(), name), { force: true });
    expect(await runCli("audit", "verify")).toMatchObject({ status: 0, stdout: expect.stringContaining("0 runs") });
    const reply = await runCli("audit", "verify", "--expect", out("last.jsonl"));
    expect(reply).toMatchObject({ status: 1, stdout: expect.stringContaining("was deleted or replaced: it is empty") });
  });
});
