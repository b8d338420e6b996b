import {
  type CheckResult,
  describeProgress,
  describeSearch,
  type Plan,
  type PlanTask,
  type RepairFinished,
  type RepairProgressed,
  type RunEvent,
} from "drydock";
import type { Stage } from "../stage.ts";

/** Tells a run as it goes on: the plan as a tree, then each attempt with what it did and what the checks found. */
export function tellEvent(stage: Stage, { type, data }: RunEvent): void {
  switch (type) {
    case "plan.accepted":
      stage.note("plan", "");
      tellTasks(stage, (data.plan as Plan).tasks);
      break;
    case "repair.progressed":
      stage.say(`  ${stage.paint("dim", describeProgress(data as RepairProgressed))}`);
      break;
    case "repair.finished":
      stage.note("search", describeSearch(data as RepairFinished));
      break;
    case "attempt.started":
      stage.note("attempt", `${data.attempt}, task ${data.task}`);
      break;
    case "tool.finished":
      stage.say(`  ${stage.paint("dim", describeTool(String(data.name), Object(data.arguments)))}`);
      if (data.failed) stage.say(`    ${stage.paint("red", String(data.summary).trim().split("\n")[0] ?? "")}`);
      break;
    case "attempt.finished":
      if (typeof data.candidate === "number") stage.say(`  ${data.summary}`);
      else if (data.summary !== "") stage.say(`  ${stage.paint("dim", "model:")} “${data.summary}”`);
      break;
    case "check.finished":
      tellCheck(stage, data as unknown as CheckResult);
      break;
    case "rework.requested":
      stage.say(`  ${stage.paint("yellow", "↻ sent back, with what failed, why, and what was tried")}`);
      break;
  }
}

/** Each task hangs below the first one that it depends on. */
function tellTasks(stage: Stage, tasks: readonly PlanTask[], parent?: string, indent = "  "): void {
  const children = tasks.filter(({ dependsOn }) => dependsOn[0] === parent);
  for (const [index, { id, title, scope, checks }] of children.entries()) {
    const isLast = index === children.length - 1;
    stage.say(`${indent}${isLast ? "└─" : "├─"} ${stage.paint("bold", id)}  ${title}`);
    const below = `${indent}${isLast ? "   " : "│  "}`;
    stage.say(`${below}${stage.paint("dim", `may change ${scope.join(", ")}`)}`);
    stage.say(`${below}${stage.paint("dim", `judged by  ${checks.map(labelCheck).join("; ")}`)}`);
    tellTasks(stage, tasks, id, below);
  }
}

function describeTool(name: string, args: Record<string, unknown>): string {
  return `${name} ${[args.cmd, args.path, args.text].find((value) => typeof value === "string") ?? ""}`;
}

function tellCheck(stage: Stage, result: CheckResult): void {
  const { verdict, reason, implied, alsoPassesBefore, check, evidence } = result;
  const label = labelCheck(check);
  if (verdict === "passed") {
    const before =
      { true: "holds without the change, too", false: "failed before the change" }[String(alsoPassesBefore)] ?? "";
    stage.say(`  ${stage.paint("green", "✓")} ${label}${before && stage.paint("dim", `  (${before})`)}`);
    return;
  }
  const why = implied ? reason : `${label}: ${reason}`;
  stage.say(`  ${stage.paint("red", "✗")} ${why}`);
  const last = typeof evidence.stdout === "string" ? evidence.stdout.trim().split("\n").at(-1) : "";
  if (last) stage.say(`    ${stage.paint("dim", last)}`);
}

function labelCheck({ type, name, ...about }: Record<string, unknown>): string {
  if (typeof name === "string") return name;
  const paths = Array.isArray(about.paths) ? about.paths.join(", ") : undefined;
  const subject = [about.cmd, about.path, about.url, paths].find((value) => typeof value === "string");
  return type === "command" ? String(subject) : `${type} ${subject ?? ""}`;
}
