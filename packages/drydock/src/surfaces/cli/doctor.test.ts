import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DoctorReport } from "@drydock/protocol";
import { expect, it } from "vitest";
import { runCli, runJson } from "./testing/run-cli.ts";
import { useHome } from "./testing/use-home.ts";

const home = useHome();
const broken = ({ findings }: DoctorReport) =>
  findings.filter(({ state }) => state === "missing").map(({ name }) => name);
const examine = async () => (await runJson("doctor")).value as unknown as DoctorReport;

it("leaves no runs in the ledger, and tells size, ledger and model", async () => {
  const report = await examine();
  expect(broken(report)).toEqual([]);
  const names = report.findings.map(({ name }) => name);
  for (const name of ["home size", "policy", "config", "ledger", "model"]) expect(names).toContain(name);
  expect((await runJson("runs", "list")).value.runs).toEqual([]);
});

it.each([
  ["policy", "policy.yaml", "limits: { wallSecond: 3 }\n", "limits.wallSecond"],
  ["config", "config.yaml", "models: [\n", "config.yaml"],
])("blames a broken %s by name, and nothing else", async (name, file, text, word) => {
  const path = join(home(), file);
  writeFileSync(path, text);
  try {
    const report = await examine();
    expect(broken(report)).toEqual([name]);
    expect(report.findings.find((finding) => finding.name === name)?.detail).toContain(word);
    expect((await runCli("doctor")).stdout).toContain(`Fix this first: ${name}.`);
  } finally {
    rmSync(path);
  }
});

it("blames a damaged ledger by name", async () => {
  for (const file of ["ledger.db", "ledger.db-wal", "ledger.db-shm"]) rmSync(join(home(), file), { force: true });
  writeFileSync(join(home(), "ledger.db"), "this is no database, and it is long enough to look at".repeat(100));
  const { status, value } = await runJson("doctor");
  expect(status).toBe(5);
  expect(broken(value as unknown as DoctorReport)).toEqual(["ledger"]);
});
