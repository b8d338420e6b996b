import { countWord, REPAIR_NAME, type Run } from "@drydock/protocol";
import type { GoalView } from "../goal-view.ts";
import { type Html, html } from "./html.ts";
import { formatCost, formatCount, formatSpan, formatTime } from "./quantities.ts";
import { shortenText } from "./shorten-text.ts";
import { markOf, renderBadge } from "./state-mark.ts";

/** What was wanted, what came of it, by whom, and for how much. */
export function renderHead(run: Run, view: GoalView): Html {
  const verdict = nameVerdict(run);
  const { tone, symbol } = markOf(verdict);
  return html`<header class="card head ${tone}">
<p class="kicker">Drydock run report <code>${run.id}</code></p>
<h1>${shortenText(view.goal || run.title, { lines: 12, characters: 1500 }).text}</h1>
<p class="verdict"><span class="seal ${tone}" aria-hidden="true">${symbol}</span><span>${verdict === "unproven" ? renderBadge(verdict) : html`<strong>${verdict}</strong>`}<br><span class="quiet">${describeVerdict(run)}</span></span></p>
${view.end !== null && view.end.reason !== "" && html`<p class="why">${shortenText(view.end.reason, { lines: 12, characters: 1500 }).text}</p>`}
${view.end?.error != null && renderError(view.end.error)}
<dl class="facts">
${fact("Status", renderBadge(run.status))}
${run.kind === "goal" && [fact(view.worker === "repair" ? "Worker" : "Model", renderModel(view)), fact("Cost", renderCost(view)), fact("Tasks", html`${countDone(view)} of ${view.tasks.size} done`)]}
${view.follows !== null && fact("Follows", html`<code>${view.follows}</code>`)}
${fact("Started", html`${formatTime(run.createdAt)}`)}
${fact("Duration", html`${run.endedAt === null ? "not ended" : formatSpan(run.createdAt, run.endedAt)}`)}
</dl>
</header>
`;
}

/** The tree hashes that were judged, at the end of the page. */
export function renderIdentity(run: Run, view: GoalView): Html {
  const treeHash = run.treeHash ?? view.end?.treeHash ?? null;
  return html`<section class="card"><h2>Trees</h2>
<dl class="facts">
${fact("Tree", html`<code class="hash">${treeHash ?? "–"}</code>`, true)}
${view.baseHash !== null && fact("Before", html`<code class="hash">${view.baseHash}</code>`, true)}
${fact("Workspace", html`<code class="hash">${run.workspace ?? "none"}</code>`, true)}
</dl></section>
`;
}

/** A run that somebody stopped was not judged: that is no verdict on its work. */
export function nameVerdict({ verdict, status }: Pick<Run, "verdict" | "status">): string {
  return status === "cancelled" && verdict === "unverified" ? "cancelled" : verdict;
}

function fact(name: string, value: Html, wide = false): Html {
  return html`<div${wide && html` class="wide"`}><dt>${name}</dt><dd>${value}</dd></div>`;
}

function describeVerdict(run: Run): string {
  if (run.verdict === "passed") return "Every check passed, on exactly the tree named below.";
  if (nameVerdict(run) === "cancelled") return "The run was cancelled before the result was judged.";
  if (run.status === "running" || run.status === "paused") return "The run has not ended: nothing is proved yet.";
  if (run.verdict === "failed") return "Not every check passed: the result is not proved.";
  if (run.verdict === "unproven") return "The checks passed, and prove nothing about the change.";
  return "No check proved the result.";
}

function renderModel({ models, scripted, worker }: GoalView): Html {
  if (worker === "repair") return html`${REPAIR_NAME}`;
  if (!scripted) return html`${models.length === 0 ? "none" : models.join(", ")}`;
  const names = models.filter((model) => model !== "scripted").join(", ");
  return html`<span class="badge warn">scripted</span> <span class="quiet">answers from a file${names && `: ${names}`}</span>`;
}

function renderCost({ usage, scripted }: GoalView): Html {
  const tokens = `${formatCount(usage.inputTokens)} tokens in, ${formatCount(usage.outputTokens)} out`;
  const money = scripted && usage.costUsd === null ? "none" : formatCost(usage.costUsd);
  const calls = countWord(usage.calls, "call");
  return html`${money} <span class="quiet">${calls}, ${tokens}</span>`;
}

function countDone({ tasks }: GoalView): number {
  return [...tasks.values()].filter(({ status }) => status === "done").length;
}

function renderError({ code, message, hint }: { code: string; message: string; hint: string }): Html {
  const shortMessage = shortenText(message, { lines: 12, characters: 1500 }).text;
  return html`<div class="error"><p><code>${code}</code> ${shortMessage}</p>${hint !== "" && html`<p class="quiet">${shortenText(hint, { lines: 6, characters: 800 }).text}</p>`}</div>`;
}
