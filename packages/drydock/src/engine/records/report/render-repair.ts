import {
  countWord,
  describeAlike,
  describeBest,
  describeDiffer,
  describeNoticed,
  describeOthers,
  describeSearch,
  foldOthers,
  listOthers,
  type RepairChange,
  type RepairReport,
} from "@drydock/protocol";
import type { TaskView } from "../goal-view.ts";
import { type Html, html, joinHtml } from "./html.ts";
import { renderDiff } from "./render-diff.ts";
import type { PageBudget } from "./shorten-text.ts";

const MAX_SUSPECTS = 5;

/** What the search for a repair found: how much was tried, where, and which other changes the tests accept as well. */
export function renderRepair(task: TaskView, budget: PageBudget): Html | null {
  const report = toReport(task);
  if (!report) return null;
  const { suspects, reason, found, chosen, best } = report;
  const where = suspects.slice(0, MAX_SUSPECTS).map((line) => html`<code>${line}</code>`);
  const others = describeOthers(report);
  const lacks = chosen === null ? describeBest(report) : null;
  return html`<section class="repair"><p><strong>Repair</strong>, a search without a language model: ${describeSearch(report)}; ${countWord(found, "change passes", "changes pass")} all tests.</p>
${where.length > 0 && html`<p class="quiet">Most suspicious: ${joinHtml(where, ", ")}</p>`}
${reason !== "" && html`<p class="reason-line">${reason}</p>`}
${others !== null && html`<p class="reason-line warn">${others}.</p>${renderDiffer(report)}${renderOthers(report, budget)}`}
${lacks !== null && html`<p class="reason-line">${lacks}</p>${best && renderChange(best, budget)}`}
</section>`;
}

/** All of them are listed here; those with the same results come after what is said of them. */
function renderOthers(report: RepairReport, budget: PageBudget): Html[] {
  const like = describeAlike(foldOthers(report).likeTaken, "taken");
  const changes = listOthers(report).map((change) => renderChange(change, budget));
  return like === null ? changes : [html`<p class="quiet">${like}.</p>`, ...changes];
}

function renderDiffer(report: RepairReport): Html | null {
  const [head, ...lines] = describeDiffer(report);
  if (head === undefined) return null;
  return html`<p>${head}</p><ul>${lines.map((line) => html`<li><code>${line}</code></li>`)}</ul>`;
}

function renderChange(change: RepairChange, budget: PageBudget): Html {
  const { candidate, summary, diff } = change;
  const words = [summary, ...[describeNoticed(change)].filter((each) => each !== null)].join("; ");
  return renderDiff(diff, `${candidate === 0 ? "" : `change ${candidate}: `}${words}`, budget);
}

function toReport({ id, repair, attempts, status, judged }: TaskView): RepairReport | null {
  if (!repair) return null;
  const taken = attempts.findLast(({ number }) => judged === null || number === judged);
  const chosen = status === "done" ? (taken?.candidate ?? null) : null;
  const refused = attempts.filter(
    ({ candidate, verdict }) => candidate !== null && verdict === "failed" && (chosen === null || candidate < chosen),
  );
  return { ...repair, task: id, chosen, refused: refused.length };
}
