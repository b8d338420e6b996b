import { countWord, type Plan, type PlanTask } from "@drydock/protocol";
import { cleanLine, cleanText } from "../../terminal/clean-text.ts";
import type { Colors } from "../../terminal/terminal.ts";
import { labelCheck } from "./label-check.ts";

const LABELLED = ["type", "cmd", "path", "url", "expression", "paths"];

/** A plan as text, for its approval. */
export function renderPlan({ goal, tasks }: Plan, colors: Colors): string {
  const count = countWord(tasks.length, "task");
  return `${colors.bold(cleanLine(goal))} ${colors.dim(`(${count})`)}\n${tasks.map((task) => renderTask(task, colors)).join("")}`;
}

function renderTask(task: PlanTask, colors: Colors): string {
  const after = task.dependsOn.length > 0 ? colors.dim(` after ${task.dependsOn.join(", ")}`) : "";
  const lines = [
    `\n${colors.bold(task.id)} ${cleanLine(task.title)}${after}`,
    ...indent(task.instructions),
    `  ${colors.dim("may change")} ${cleanLine(task.scope.join(", "))}`,
    ...task.checks.flatMap((check) => {
      // The name is what its author says; what is executed must be seen as well.
      const { name, ...fields } = check;
      const called = name === undefined ? "" : colors.dim(` "${cleanLine(name)}"`);
      return [`  ${colors.cyan("check")} ${labelCheck(fields)}${called}${renderRest(fields, colors)}`];
    }),
    `  ${colors.dim(`up to ${countWord(task.attempts, "attempt")}`)}`,
  ];
  return `${lines.join("\n")}\n`;
}

/** Whatever else it asks for. */
function renderRest(check: Record<string, unknown>, colors: Colors): string {
  const rest = Object.entries(check).filter(([key]) => !LABELLED.includes(key));
  return rest.map(([key, value]) => colors.dim(`, ${key}: `) + cleanLine(JSON.stringify(value))).join("");
}

function indent(text: string): string[] {
  if (text.trim() === "") return [];
  return cleanText(text)
    .trim()
    .split("\n")
    .map((line) => `  ${line}`);
}
