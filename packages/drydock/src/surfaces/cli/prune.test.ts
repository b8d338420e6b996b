import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createDock } from "../../app/index.ts";
import { runCli, runJson } from "./testing/run-cli.ts";
import { useHome } from "./testing/use-home.ts";

const home = useHome();
const code = "open('kept.txt', 'w').write('x' * 5000)";

it("says what takes how much", async () => {
  await runCli("exec", "-c", code);
  const { value } = await runJson("du");
  const parts = value.parts as { name: string; bytes: number }[];
  const sizes = Object.fromEntries(parts.map(({ name, bytes }) => [name, bytes]));
  expect(sizes.artifacts).toBeGreaterThanOrEqual(5000);
  expect(sizes.ledger).toBeGreaterThan(0);
  expect((await runCli("du")).stdout).toMatch(/artifacts +4\.9 KB/);
});

it("removes old runs and leaves a ledger that holds and says so", async () => {
  const environment = join(home(), "environments", "0".repeat(32));
  mkdirSync(environment, { recursive: true });
  writeFileSync(join(environment, "lock.json"), "{}");
  const old = new Date(Date.now() - 40 * 86_400_000);
  for (const path of [join(environment, "lock.json"), environment]) utimesSync(path, old, old);
  // As a prune leaves it that was killed.
  mkdirSync(join(home(), "environments", `${"1".repeat(32)}.broken-1`, "lib"), { recursive: true });
  mkdirSync(join(home(), "runs", `run_${"0".repeat(26)}`), { recursive: true });
  expect((await runJson("prune", "--older-than", "0s", "--dry-run")).value).toMatchObject({ runs: 1, environments: 1 });
  expect((await runJson("runs", "list")).value.runs).toHaveLength(1);
  const { value } = await runJson("prune", "--older-than", "0s");
  expect(value).toMatchObject({ runs: 1, environments: 1, dryRun: false });
  expect(value.freedBytes).toBeGreaterThanOrEqual(5000);
  expect((await runJson("runs", "list")).value.runs).toEqual([]);
  expect(await readdir(join(home(), "environments"))).toEqual([]);
  expect(await readdir(join(home(), "runs"))).toEqual([]);
  const audit = await runJson("audit", "verify");
  expect(audit).toMatchObject({ status: 0, value: { ok: true, runs: 0, pruned: { runs: 1 } } });
  expect((await runCli("audit", "verify")).stdout).toContain("pruned: 1 run, ");
});

it("keeps artifacts where it is told to, beside a dock that goes on working", async () => {
  const dock = await createDock({ home: home(), warm: 0 });
  try {
    const { artifacts } = await dock.exec({ language: "python", code });
    expect((await runJson("prune", "--older-than", "0s", "--keep-artifacts")).value).toMatchObject({ runs: 1 });
    expect((await runJson("du")).value.parts).toContainEqual(
      expect.objectContaining({ name: "artifacts", bytes: 5000 }),
    );
    expect(artifacts).toHaveLength(1);
    expect(await dock.exec({ language: "python", code: "1 + 1" })).toMatchObject({ ok: true, result: 2 });
    expect(await dock.audit.verify()).toMatchObject({ ok: true, pruned: { runs: 2 } });
  } finally {
    await dock.close();
  }
});

it.each([["30"], ["soon"], ["-1d"]])("refuses %j as an age", async (age) => {
  expect((await runCli("prune", `--older-than=${age}`)).status).toBe(2);
});
