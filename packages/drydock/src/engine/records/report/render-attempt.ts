import { countWord, type ReworkRequest } from "@drydock/protocol";
import type { AskView, AttemptView, ToolView } from "../goal-view.ts";
import { type Html, html } from "./html.ts";
import { formatHash, formatSpan } from "./quantities.ts";
import { renderAsks } from "./render-asks.ts";
import { renderChecks } from "./render-checks.ts";
import { renderDiff } from "./render-diff.ts";
import { type PageBudget, shortenText } from "./shorten-text.ts";
import { renderBadge } from "./state-mark.ts";

const MAX_ROWS = 60;

export interface AttemptContext {
  /** Diffs by their blob; null where the content is gone. */
  diffs: ReadonlyMap<string, string | null>;
  budget: PageBudget;
}

export function renderAttempt(attempt: AttemptView, open: boolean, { diffs, budget }: AttemptContext): Html {
  const passed = attempt.checks.filter(({ verdict }) => verdict === "passed").length;
  const again = attempt.round > 1 ? `, again (${attempt.round})` : "";
  return html`<details class="attempt"${open && html` open`}><summary><span class="name">Attempt ${attempt.number}${again}</span> ${renderBadge(attempt.verdict ?? "unverified")} <span class="quiet">${passed} of ${countWord(attempt.checks.length, "check")} passed · ${formatSpan(attempt.startedAt, attempt.verifiedAt ?? attempt.finishedAt)}${renderTotals(attempt.asks)}</span></summary>
<div class="inside">
${attempt.summary !== "" && html`<blockquote>${attempt.candidate === null && html`<span class="quiet">The model says:</span> `}${shortenText(attempt.summary, { lines: 20, characters: 2000 }).text}</blockquote>`}
${attempt.failure !== null && html`<p class="reason-line">${shortenText(attempt.failure, { lines: 12, characters: 1500 }).text}</p>`}
${attempt.verdict === "unproven" && attempt.reason !== "" && html`<p class="reason-line warn">${shortenText(attempt.reason, { lines: 12, characters: 1500 }).text}</p>`}
${(attempt.failure === null || attempt.checks.length > 0) && renderChecks(attempt.checks, budget)}
${renderAttemptDiff(attempt, diffs, budget)}
${attempt.tools.length > 0 && renderTools(attempt.tools, budget)}
${attempt.asks.length > 0 && renderAsks(attempt.asks)}
${attempt.rework !== null && renderRework(attempt.rework)}
${renderTrees(attempt)}
</div></details>
`;
}

function renderTrees({ baseHash, treeHash, on }: AttemptView): Html {
  const base = on.length > 0 ? html` <span class="quiet">(with ${on.join(", ")})</span>` : null;
  const before = html`<code title="${baseHash}">${formatHash(baseHash) || "?"}</code>${base}`;
  if (treeHash === null) return html`<p class="trees">Tree ${before} <span class="quiet">→ not finished</span></p>`;
  return html`<p class="trees">Tree ${before} → <code title="${treeHash}">${formatHash(treeHash)}</code></p>`;
}

function renderTotals(asks: readonly AskView[]): string {
  const tokens = asks.reduce((sum, { usage }) => sum + (usage ? usage.inputTokens + usage.outputTokens : 0), 0);
  const calls = asks.length === 0 ? "" : ` · ${countWord(asks.length, "model call")}`;
  return tokens === 0 ? calls : `${calls}, ${countWord(tokens, "token")}`;
}

function renderAttemptDiff({ diff, on }: AttemptView, diffs: AttemptContext["diffs"], budget: PageBudget): Html | null {
  if (diff === null) return null;
  const text = diffs.get(diff);
  if (text === undefined || text === null)
    return html`<p class="note">The diff is no longer in the ledger's store.</p>`;
  return renderDiff(text, on.length > 0 ? `against what ${on.join(", ")} left` : "against the workspace", budget);
}

function renderTools(tools: readonly ToolView[], budget: PageBudget): Html {
  const rows = tools.slice(0, MAX_ROWS).map((tool) => {
    const args = budget.take(JSON.stringify(tool.arguments) ?? "", { lines: 4, characters: 300 }).text;
    const summary = budget.take(tool.summary.replace(/\s+/g, " "), { lines: 4, characters: 300 }).text;
    return html`<li class="${tool.failed ? "not-ok" : "ok"}"><span aria-hidden="true">${tool.failed ? "✗" : "✓"}</span> <code>${tool.name}</code> <code class="quiet">${args}</code> ${summary}</li>`;
  });
  return html`<details class="fold"><summary>${countWord(tools.length, "tool call")}</summary><ol class="tools">${rows}</ol>${tools.length > MAX_ROWS && html`<p class="note">${tools.length - MAX_ROWS} more are left out here.</p>`}</details>`;
}

function renderRework({ attemptsLeft, failed }: ReworkRequest): Html {
  const reasons = failed
    .slice(0, MAX_ROWS)
    .map(
      ({ type, name, reason }) =>
        html`<li><code>${type}</code>${name !== undefined && html` ${name}`}: ${shortenText(reason, { lines: 6, characters: 600 }).text}</li>`,
    );
  return html`<div class="rework"><p><strong>Rejected</strong>, ${countWord(attemptsLeft, "attempt")} left. Reasons:</p><ul>${reasons}</ul></div>`;
}
