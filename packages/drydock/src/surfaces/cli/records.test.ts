import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeAll, describe, expect, it } from "vitest";
import { runCli, runJson } from "./testing/run-cli.ts";
import { useHome } from "./testing/use-home.ts";

const home = useHome();
let succeeded: string;
let failed: string;

beforeAll(async () => {
  succeeded = String((await runJson("exec", "-c", "print('hello')")).value.runId);
  failed = String((await runJson("exec", "-c", "1/0")).value.runId);
});

describe("drydock runs", () => {
  it("lists runs, the newest first, by pages and by status", async () => {
    const all = await runJson("runs", "list");
    expect(all.value).toMatchObject({ runs: [{ id: failed }, { id: succeeded }], cursor: null });
    const first = await runJson("runs", "list", "--limit", "1");
    expect(first.value).toMatchObject({ runs: [{ id: failed }], cursor: expect.any(String) });
    const second = await runJson("runs", "list", "--limit", "1", "--cursor", String(first.value.cursor));
    expect(second.value).toMatchObject({ runs: [{ id: succeeded }], cursor: null });
    const good = await runJson("runs", "list", "--status", "succeeded");
    expect(good.value).toMatchObject({ runs: [{ id: succeeded }] });
    const table = await runCli("runs", "list", "--limit", "1");
    expect(table.stdout).toMatch(
      new RegExp(`^ID .*\\n${failed.slice(-8)}  \\d{4}-\\d\\d-\\d\\d .*code.exception +- +python: 1/0\\n$`),
    );
    expect(table.stderr).toMatch(/^more: drydock runs list --limit 1 --cursor \S+\n$/);
  });

  it("shows a run by as much of its id as makes it the only one", async () => {
    const short = succeeded.slice(4, -1);
    expect((await runJson("runs", "show", short)).value).toMatchObject({ id: succeeded, status: "succeeded" });
    expect((await runCli("runs", "show", succeeded)).stdout).toContain("status     succeeded\n");
    expect(await runJson("runs", "show", "run_")).toMatchObject({
      status: 2,
      value: { error: { code: "input.invalid" } },
    });
    const missing = await runJson("runs", "show", "run_zzz");
    expect(missing).toMatchObject({ status: 2, value: { error: { code: "run.not_found" } } });
  });

  it("shows why a run failed: code, message and hint", async () => {
    expect((await runCli("runs", "show", failed)).stdout).toMatch(
      /\n✗ code.exception — ZeroDivisionError: division by zero \(line 1\)\n {2}hint: Handle this case at line 1;.*\n\nstderr\nTraceback [\s\S]*ZeroDivisionError: division by zero\n$/,
    );
    expect((await runJson("runs", "show", failed)).value).toMatchObject({ error: { code: "code.exception", line: 1 } });
    expect((await runJson("runs", "show", succeeded)).value).toMatchObject({ error: null });
  });

  it("prints events as one value, or as lines while it follows", async () => {
    const { stdout } = await runCli("runs", "events", succeeded, "--json");
    const events = JSON.parse(stdout) as { type: string }[];
    expect([events[0]?.type, events.at(-1)?.type]).toEqual(["run.created", "run.succeeded"]);
    const followed = await runCli("runs", "events", succeeded, "--follow", "--json");
    expect(
      followed.stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual(events);
    expect((await runCli("runs", "events", succeeded)).stdout).toMatch(/^ {3}0 {2}\d.* run\.created /);
  });
});

describe("drydock audit", () => {
  it("exports the ledger as lines, to stdout or to a file of its owner", async () => {
    const { stdout } = await runCli("audit", "export");
    expect(
      stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as unknown).length,
    ).toBeGreaterThan(4);
    const file = join(home(), "export.jsonl");
    const { value } = await runJson("audit", "export", "--out", file);
    expect((await readFile(file, "utf8")).trim().split("\n")).toHaveLength(Number(value.lines));
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const nowhere = await runJson("audit", "export", "--out", "/nowhere/x");
    expect(nowhere).toMatchObject({ status: 2, value: { error: { code: "input.invalid" } } });
  });

  it("says that the chain holds, and after a change which event of which run is wrong", async () => {
    expect(await runJson("audit", "verify")).toMatchObject({ status: 0, value: { ok: true, runs: 2 } });
    expect(await runCli("audit", "verify")).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^✓ The hash chain is intact: 2 runs, /),
    });
    const database = new DatabaseSync(join(home(), "ledger.db"));
    database.prepare("UPDATE events SET data = '{}' WHERE run_id = ? AND seq = 1").run(succeeded);
    database.close();
    expect(await runJson("audit", "verify")).toMatchObject({
      status: 1,
      value: { ok: false, first: { runId: succeeded, seq: 1, problem: expect.any(String) } },
    });
    const reply = await runCli("audit", "verify");
    expect(reply).toMatchObject({ status: 1, stdout: expect.stringContaining(`✗ ${succeeded}, event 1: `) });
  });
});

describe("drydock policy", () => {
  it("shows what holds, and where each value comes from", async () => {
    const workspace = join(home(), "workspace");
    await mkdir(join(workspace, ".drydock"), { recursive: true });
    await writeFile(join(workspace, ".drydock", "policy.yaml"), "limits:\n  wallSeconds: 7\n");
    expect((await runCli("policy", "show")).stdout).toContain("\n  wallSeconds: 300\n");
    const there = await runJson("policy", "show", "--workspace", workspace);
    expect(there.value).toMatchObject({ version: 1, limits: { wallSeconds: 7 } });
    const { stdout } = await runCli("policy", "show", "--workspace", workspace, "--explain");
    expect(stdout).toMatch(/limits\.wallSeconds +7 .*workspace .*policy\.yaml:2\n/);
  });

  it("checks a file, and names file, line and key of what is wrong", async () => {
    const file = join(home(), "some.yaml");
    await writeFile(file, "version: 1\nlimit: 3\n");
    const wrong = await runCli("policy", "check", file);
    expect(wrong).toMatchObject({ status: 3, stdout: "" });
    expect(wrong.stderr).toContain(`policy.invalid — ${file}:2:1: limit`);
    await writeFile(file, "version: 1\n");
    expect(await runCli("policy", "check", file)).toMatchObject({
      status: 0,
      stdout: `✓ ${file} is a valid policy.\n`,
    });
    expect((await runCli("policy", "check", join(home(), "none.yaml"))).status).toBe(2);
  });

  it("writes what the owner allows and sets", async () => {
    const file = join(home(), "policy.yaml");
    const allowed = await runJson("policy", "allow", "network", "api.example.com:443", "*.example.org:443");
    expect(allowed).toEqual({
      status: 0,
      value: { file, added: ["api.example.com:443", "*.example.org:443"], already: [], stopped: [] },
    });
    expect((await runCli("policy", "allow", "network", "api.example.com:443")).stdout).toContain("was allowed already");
    expect((await runJson("policy", "set", "limits.wallSeconds.max", "900")).status).toBe(0);
    const { stdout } = await runCli("policy", "show", "--explain", "--json");
    expect(JSON.parse(stdout)).toContainEqual(
      expect.objectContaining({ key: "limits.wallSeconds", ceiling: 900, value: 300 }),
    );
    for (const args of [
      ["allow", "network", "nonsense"],
      ["allow", "everything", "x"],
      ["set", "limits.wall", "1"],
    ]) {
      expect((await runJson("policy", ...args)).status).toBe(2);
    }
  });

  it("refuses to run anything under a policy that can't be read", async () => {
    await writeFile(join(home(), "policy.yaml"), "nonsense: true\n");
    const { status, value } = await runJson("exec", "-c", "print(1)");
    expect({ status, error: value.error }).toMatchObject({ status: 3, error: { code: "policy.invalid" } });
  });
});
