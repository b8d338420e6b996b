import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { GoalOptions } from "drydock";
import { openGoalDock } from "../testing/goal-dock.ts";
import { installPackages } from "../verify/witness/install-packages.ts";
import type { ProofCase } from "./case.ts";

/** A change by somebody who had read the rules, as a goal of one task or several. */
export interface Attack extends Partial<ProofCase> {
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

export async function judgeAttack(each: Attack): Promise<{ verdict: string; told: string }> {
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
  // Tasks side by side ask in any order.
  const answers = tasks.map((task) => ({
    when: { task: task.id },
    writes: Object.entries(task.change).map(([path, content]) =>
      content === null ? { path, delete: true } : { path, content },
    ),
  }));
  const isUsers = checks.some((check) => "sufficient" in check);
  const goal: Partial<GoalOptions> = isUsers ? { plan } : { goal: "change it" };
  const run = t.run([...(isUsers ? [] : [{ json: plan }]), ...answers], { apply: "never", ...goal, ...options });
  const result = await run.catch((error: unknown) => ({ verdict: "error", reason: String(error) }));
  const reply = t
    .data("check.finished")
    .map(({ reason, control, doubt }) => JSON.stringify({ reason, control, doubt }));
  return { verdict: String(result.verdict), told: [result.reason, ...reply].join("\n  ") };
}
