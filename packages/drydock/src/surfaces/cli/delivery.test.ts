import { execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { runCli, runJson } from "./testing/run-cli.ts";
import { runInTerminal } from "./testing/run-in-terminal.ts";
import { useHome } from "./testing/use-home.ts";

const home = useHome();
const LINES = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";
const CODE = `
import pathlib
p = pathlib.Path("a.txt"); p.write_text(p.read_text().replace("two", "TWO"))
pathlib.Path("new.txt").write_text("new")
`;
let workspace = "";

beforeEach(async () => {
  workspace = realpathSync(await mkdtemp(join(tmpdir(), "drydock-delivery-")));
  onTestFinished(() => rm(workspace, { recursive: true, force: true }));
  writeFileSync(join(workspace, "a.txt"), LINES);
});

async function change(code = CODE): Promise<string> {
  const { status, value } = await runJson("exec", "--workspace", workspace, "-c", code);
  expect(status).toBe(0);
  return String(value.runId);
}

const read = (name: string) => readFileSync(join(workspace, name), "utf8");

async function listTypes(runId: string): Promise<string[]> {
  const { stdout } = await runCli("runs", "events", runId, "--json");
  return (JSON.parse(stdout) as { type: string }[]).map(({ type }) => type);
}

describe("drydock runs apply, revert and discard", () => {
  it("brings a run's changes into the workspace and takes them back", async () => {
    const runId = await change();
    expect(read("a.txt")).toBe(LINES);
    const applied = await runCli("runs", "apply", runId);
    expect(applied.stdout).toBe(
      `✓ applied to ${workspace}\n  ~ a.txt\n  + new.txt\nnote: unverified: no check has judged these changes\nundo: drydock runs revert ${runId}\n`,
    );
    expect([read("a.txt"), read("new.txt")]).toEqual([LINES.replace("two", "TWO"), "new"]);
    expect(await runJson("runs", "apply", runId)).toMatchObject({ status: 0, value: { outcome: "already" } });
    expect((await runCli("runs", "diff", runId)).stdout).toContain("-two\n+TWO\n");
    expect(await runJson("runs", "discard", runId)).toMatchObject({
      status: 1,
      value: { error: { code: "delivery.conflict" } },
    });
    expect(await runJson("runs", "revert", runId)).toMatchObject({
      status: 0,
      value: { outcome: "reverted", runId, workspace, changes: [{ path: "a.txt" }, { path: "new.txt" }] },
    });
    expect([read("a.txt"), existsSync(join(workspace, "new.txt"))]).toEqual([LINES, false]);
    expect((await runJson("runs", "revert", runId)).status).toBe(1);
    expect(await runJson("runs", "apply", runId)).toMatchObject({ value: { outcome: "applied" } });
    expect((await listTypes(runId)).slice(-3)).toEqual(["layer.applied", "layer.reverted", "layer.applied"]);
    expect(await runJson("audit", "verify")).toMatchObject({ status: 0, value: { ok: true } });
  });

  it("merges with what the user changed since the run, and refuses what can't be merged", async () => {
    const first = await change();
    writeFileSync(join(workspace, "a.txt"), LINES.replace("six", "SIX"));
    const merged = await runCli("runs", "apply", first);
    expect(merged.stdout).toContain("~ a.txt (merged with your changes)");
    expect(read("a.txt")).toBe(LINES.replace("two", "TWO").replace("six", "SIX"));
    await runCli("runs", "revert", first);
    const second = await change();
    writeFileSync(join(workspace, "a.txt"), LINES.replace("two", "mine"));
    const refused = await runJson("runs", "apply", second);
    expect(refused).toMatchObject({
      status: 1,
      value: { error: { code: "delivery.conflict", files: [{ path: "a.txt", reason: expect.any(String) }] } },
    });
    expect([read("a.txt"), existsSync(join(workspace, "new.txt"))]).toEqual([LINES.replace("two", "mine"), false]);
    expect(await listTypes(second)).not.toContain("layer.applied");
  });

  it("applies nothing that was discarded, nothing that wrote where it may not, and nothing without a workspace", async () => {
    const discarded = await change();
    expect(await runJson("runs", "discard", discarded)).toMatchObject({ status: 0, value: { outcome: "discarded" } });
    expect(await runJson("runs", "discard", discarded)).toMatchObject({ status: 0, value: { outcome: "already" } });
    expect(await runJson("runs", "apply", discarded)).toMatchObject({
      status: 1,
      value: { error: { code: "delivery.conflict" } },
    });
    const narrowed = await change();
    mkdirSync(join(workspace, ".drydock"));
    writeFileSync(join(workspace, ".drydock", "policy.yaml"), "version: 1\nfiles:\n  write: ['src/**']\n");
    expect(await runJson("runs", "apply", narrowed)).toMatchObject({
      status: 3,
      value: { error: { code: "policy.path_denied" } },
    });
    const { value } = await runJson("exec", "--workspace", workspace, "-c", CODE);
    expect(await runJson("runs", "apply", String(value.runId))).toMatchObject({
      status: 3,
      value: { error: { code: "policy.path_denied" } },
    });
    const nowhere = await runJson("exec", "-c", "open('x', 'w').write('x')");
    expect((await runJson("runs", "apply", String(nowhere.value.runId))).status).toBe(2);
    expect(read("a.txt")).toBe(LINES);
  });

  it("asks for a word where files run by themselves", async () => {
    const code = "open('.rvmrc', 'w').write('x'); open('b.txt', 'w').write('b')";
    const first = await change(code);
    const refused = await runCli("runs", "apply", first);
    expect(refused.status).toBe(3);
    expect(refused.stderr).toContain("\n  .rvmrc (rvm runs it when you enter the directory)\n");
    expect(refused.stderr).toContain(`drydock runs apply ${first} --allow-autorun`);
    expect(existsSync(join(workspace, "b.txt"))).toBe(false);
    expect((await runCli("runs", "apply", first, "--allow-autorun")).status).toBe(0);
    expect([read(".rvmrc"), read("b.txt")]).toEqual(["x", "b"]);
    await runCli("runs", "revert", first);
    for (const [type, status] of [
      ["n\r", 3],
      ["y\r", 0],
    ] as const) {
      const keys = [{ after: "anyway?", type }];
      const request = await runInTerminal(home(), ["runs", "apply", first], { rows: 20, columns: 100, keys });
      expect([request.status, existsSync(join(workspace, ".rvmrc"))]).toEqual([status, status === 0]);
      expect(request.screen).toContain("Other programs execute these files automatically:");
    }
  });

  it("leaves out new files that git ignores and caches, counts them, and delivers them on demand", async () => {
    writeFileSync(join(workspace, ".gitignore"), "build/\n*.log\n");
    writeFileSync(join(workspace, "old.log"), "old");
    startRepository();
    const runId = await change(`
import os
for path in ["build/deep/a.js", "run.log", "pkg/__pycache__/a.pyc", "pkg/a.py", "only/x.log"]:
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True); open(path, "w").write("x")
open("old.log", "w").write("new")`);
    const applied = await runJson("runs", "apply", runId);
    expect(applied).toMatchObject({ status: 0, value: { outcome: "applied", ignored: 4 } });
    expect(
      ["build", "only", "run.log", "pkg/__pycache__", "pkg/a.py"].filter((path) => existsSync(join(workspace, path))),
    ).toEqual(["pkg/a.py"]);
    // What was there before the run is changed, ignored or not.
    expect(read("old.log")).toBe("new");
    expect(String(applied.value.notes)).toContain(
      `4 ignored files are left out. To deliver them, too: drydock runs revert ${runId}, then drydock runs apply ${runId} --include-ignored`,
    );
    const { stdout } = await runCli("runs", "events", runId, "--json");
    expect((JSON.parse(stdout) as { data: object }[]).at(-1)?.data).toMatchObject({ ignored: 4, treeHash: null });
    await runCli("runs", "revert", runId);
    expect(await runJson("runs", "apply", runId, "--include-ignored")).toMatchObject({ value: { ignored: 0 } });
    expect([read("build/deep/a.js"), read("pkg/__pycache__/a.pyc")]).toEqual(["x", "x"]);
  });

  it("has nothing to apply where a run left only caches, with or without a repository", async () => {
    const runId = await change("import os; os.makedirs('__pycache__'); open('__pycache__/a.pyc', 'w').write('x')");
    const refused = await runCli("runs", "apply", runId);
    expect(refused).toMatchObject({
      status: 1,
      stdout: expect.stringContaining("only created files that git ignores"),
    });
    expect(refused.stdout).toContain("1 ignored file is left out. ");
    expect(refused.stdout).toContain(`To deliver it, too: drydock runs apply ${runId} --include-ignored\n`);
    expect(existsSync(join(workspace, "__pycache__"))).toBe(false);
  });

  function startRepository(): (...args: string[]) => string {
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@b", ...args], { cwd: workspace, encoding: "utf8" });
    git("init", "-q", "-b", "main");
    git("add", "-A");
    git("commit", "-q", "-m", "first");
    return git;
  }

  it("commits on a branch, and takes the branch back", async () => {
    const git = startRepository();
    const runId = await change();
    const applied = await runJson("runs", "apply", runId, "--branch", "fix");
    expect(applied).toMatchObject({ status: 0, value: { outcome: "applied", branch: "fix" } });
    expect(git("diff", "--name-status", "main", "fix")).toBe("M\ta.txt\nA\tnew.txt\n");
    expect([read("a.txt"), git("status", "--porcelain")]).toEqual([LINES, ""]);
    expect(await runJson("runs", "revert", runId)).toMatchObject({ status: 0, value: { branch: "fix" } });
    expect(git("branch", "--list", "fix")).toBe("");
  });

  it("ends what a crash left in the middle with whatever command comes next, and puts it on record", async () => {
    const runId = await change();
    await runCli("runs", "apply", runId);
    // As if the process had gone after the files were in place and before that was on record.
    const copy = await change("open('b.txt', 'w').write('b')");
    await runCli("runs", "apply", copy);
    await runCli("runs", "revert", copy);
    const journalDirectory = join(home(), "deliveries", copy);
    mkdirSync(journalDirectory);
    const journal = readFileSync(join(home(), "deliveries", runId, "journal.json"), "utf8");
    writeFileSync(join(journalDirectory, "journal.json"), journal);
    const open = { kind: "apply", journalDirectory, workspace };
    const marker = join(home(), "deliveries", "open", `${hash("sha256", workspace).slice(0, 32)}.json`);
    writeFileSync(marker, JSON.stringify(open));
    await runCli("runs", "list");
    expect(existsSync(marker)).toBe(false);
    expect((await listTypes(copy)).at(-1)).toBe("layer.applied");
  });
});
