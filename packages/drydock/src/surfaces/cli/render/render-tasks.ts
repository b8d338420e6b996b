import type { ListedTask, TaskStatus } from "@drydock/protocol";
import { cleanLine } from "../../terminal/clean-text.ts";
import { renderTime } from "../../terminal/render/render-quantities.ts";
import { renderTable } from "../../terminal/render/render-table.ts";
import type { Colors, Terminal } from "../../terminal/terminal.ts";

export function renderTasks(
  tasks: readonly ListedTask[],
  { outColors, columns }: Pick<Terminal, "outColors" | "columns">,
  withWorkspace = false,
): string {
  if (tasks.length === 0) return "No tasks.\n";
  const titles = ["ID", "STATUS", "CHANGED", "RUN", ...(withWorkspace ? ["WORKSPACE"] : []), "TITLE"];
  const head = titles.map((text) => ({ text, paint: outColors.dim }));
  const rows = tasks.map((task) => [
    task.id,
    { text: task.status, paint: paintTask(task.status, outColors) },
    renderTime(task.changedAt),
    task.runId ?? "-",
    ...(withWorkspace ? [cleanLine(task.workspace)] : []),
    cleanLine(task.reason === "" ? task.title : `${task.title} (${task.reason})`),
  ]);
  return renderTable([head, ...rows], { columns });
}

function paintTask(status: TaskStatus, colors: Colors): (text: string) => string {
  const paints: Record<TaskStatus, (text: string) => string> = {
    todo: colors.dim,
    doing: colors.cyan,
    done: colors.green,
    failed: colors.red,
    cancelled: colors.yellow,
    stale: colors.magenta,
  };
  return paints[status];
}
