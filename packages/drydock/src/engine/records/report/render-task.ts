import { countWord } from "@drydock/protocol";
import type { TaskView } from "../goal-view.ts";
import { costOf } from "../summarize-run.ts";
import { taskAnchor } from "./draw-plan.ts";
import { type Html, html, joinHtml } from "./html.ts";
import { formatCost, formatSpan } from "./quantities.ts";
import { type AttemptContext, renderAttempt } from "./render-attempt.ts";
import { renderRepair } from "./render-repair.ts";
import { shortenText } from "./shorten-text.ts";
import { renderBadge } from "./state-mark.ts";

export function renderTask(task: TaskView, context: AttemptContext): Html {
  const { planned } = task;
  const shown = findShownAttempt(task);
  const used = `${task.attempts.length} of ${countWord(planned?.attempts ?? task.attempts.length, "attempt")}`;
  const facts = [
    html`${used} used`,
    html`${formatSpan(task.startedAt, task.endedAt)}`,
    html`${formatCost(costOf(task))}`,
    ...(planned && planned.dependsOn.length > 0
      ? [html`after ${joinHtml(planned.dependsOn.map(linkTask), ", ")}`]
      : []),
  ];
  return html`<article class="card task" id="${taskAnchor(task.id)}"><header><h3>${renderBadge(task.status)} <span class="id">${task.id}</span> ${planned?.title ?? ""}</h3><p class="quiet">${joinHtml(facts, " · ")}</p></header>
${task.reason !== "" && task.status !== "done" && html`<p class="reason-line">${shortenText(task.reason, { lines: 6, characters: 800 }).text}</p>`}
${planned && renderInstructions(planned.instructions, planned.scope)}
${task.repair && renderRepair(task, context.budget)}
${task.attempts.length === 0 ? html`<p class="quiet">Never attempted.</p>` : task.attempts.map((attempt, index) => renderAttempt(attempt, index === shown, context))}
</article>
`;
}

/** The one that says most: the last, and of a task that failed the last in which a check did. */
function findShownAttempt({ attempts, status, judged }: TaskView): number {
  const last = attempts.length - 1;
  if (judged !== null) return attempts.findLastIndex(({ number }) => number === judged);
  if (status === "done") return last;
  const failed = attempts.findLastIndex(({ checks }) => checks.some(({ verdict }) => verdict !== "passed"));
  return failed < 0 ? last : failed;
}

function linkTask(id: string): Html {
  return html`<a href="#${taskAnchor(id)}">${id}</a>`;
}

function renderInstructions(instructions: string, scope: readonly string[]): Html {
  const { text } = shortenText(instructions, { lines: 60, characters: 6000 });
  const files = joinHtml(
    scope.slice(0, 40).map((glob) => html`<code>${glob}</code>`),
    " ",
  );
  return html`<details class="fold"><summary>Instructions and scope</summary><p class="instructions">${text || "None."}</p><p>May change: ${files}${scope.length > 40 && " …"}</p></details>`;
}
