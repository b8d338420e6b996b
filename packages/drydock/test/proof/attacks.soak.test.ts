import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { GoalOptions } from "drydock";
import { expect, it } from "vitest";
import { openGoalDock } from "../testing/goal-dock.ts";
import { installPackages } from "../verify/witness/install-packages.ts";
import type { ProofCase } from "./case.ts";

interface Attack extends Partial<ProofCase> {
  name: string;
  files: Record<string, string>;
  /** npm packages that the project has installed. */
  packages?: string[];
  executable?: string[];
  links?: Record<string, string>;
  tasks?: {
    id: string;
    change: Record<string, string | null>;
    checks: object[];
    scope?: string[];
    dependsOn?: string[];
  }[];
}

/**
 * Changes by people who had read the rules and wanted to get round them, or to be refused though they are honest. Not all
 * are judged rightly yet: those that are not are listed beside the tables, and no other may join them.
 */
const TABLES = ["python-false", "python-honest", "others-false", "others-honest"];

function readTable<Table>(name: string): Table {
  return JSON.parse(readFileSync(join(import.meta.dirname, "attacks", `${name}.json`), "utf8")) as Table;
}

const KNOWN = readTable<Record<string, string[]>>("judged-wrongly");

async function judge(each: Attack): Promise<{ verdict: string; told: string }> {
  const { files, change = {}, checks = [], scope = ["**"], options = {} } = each;
  const t = await openGoalDock(files);
  if (each.packages) installPackages(t.workspace, each.packages);
  for (const path of each.executable ?? []) chmodSync(join(t.workspace, path), 0o755);
  for (const [path, target] of Object.entries(each.links ?? {})) {
    mkdirSync(dirname(join(t.workspace, path)), { recursive: true });
    symlinkSync(target, join(t.workspace, path));
  }
  writeFileSync(join(t.home, "policy.yaml"), "version: 1\ncommands:\n  allow: ['*']\n");
  const tasks = each.tasks ?? [{ id: "change", change, checks, scope }];
  const plan = {
    goal: "change it",
    tasks: tasks.map(({ change: _change, ...task }) => ({ attempts: 1, scope: ["**"], ...task })),
  };
  const answers = tasks.map((task) => ({
    writes: Object.entries(task.change).map(([path, content]) =>
      content === null ? { path, delete: true } : { path, content },
    ),
  }));
  const isUsers = checks.some((check) => "sufficient" in check);
  const goal: Partial<GoalOptions> = isUsers ? { plan } : { goal: "change it" };
  const run = t.run([...(isUsers ? [] : [{ json: plan }]), ...answers], { apply: "never", ...goal, ...options });
  const result = await run.catch((error: unknown) => ({ verdict: "error", reason: String(error) }));
  const told = t.data("check.finished").map(({ reason, control, doubt }) => JSON.stringify({ reason, control, doubt }));
  return { verdict: String(result.verdict), told: [result.reason, ...told].join("\n  ") };
}

for (const table of TABLES) {
  const cases = readTable<Attack[]>(table).map((each) => [each.name, each] as const);
  it.each(cases)(`${table}: %s`, { timeout: 180_000 }, async (name, each) => {
    const { verdict, told } = await judge(each);
    const isWrong = (verdict === "passed") === table.endsWith("false");
    const isKnown = KNOWN[table]?.includes(name) ?? false;
    if (isWrong !== isKnown)
      console.info(`${table}: ${name}: ${verdict}${isKnown ? ", rightly by now" : ""}\n  ${told}`);
    expect(verdict, told).toMatch(/^(passed|failed|unproven)$/);
    expect(isWrong && !isKnown, told).toBe(false);
  });
}
