import { type CheckResult, countWord, provesNothing, type StrengthEvidence } from "@drydock/protocol";
import { subjectOf } from "../check-subject.ts";
import { type Html, html } from "./html.ts";
import { formatDuration } from "./quantities.ts";
import { renderProof, renderStrength } from "./render-proof.ts";
import { type PageBudget, shortenText } from "./shorten-text.ts";
import { renderBadge, renderNote } from "./state-mark.ts";

const EVIDENCE = { lines: 60, characters: 6000 };
const MAX_CHECKS = 100;

/** Each check with its definition, its finding and its evidence. */
export function renderChecks(checks: readonly CheckResult[], budget: PageBudget): Html {
  if (checks.length === 0) return html`<p class="quiet">No check was run.</p>`;
  // Those that did not pass come first into a table that can't hold all.
  const shown =
    checks.length <= MAX_CHECKS
      ? checks
      : [...checks].sort((one, other) => rank(one) - rank(other)).slice(0, MAX_CHECKS);
  return html`<table class="checks"><thead><tr><th scope="col">Verdict</th><th scope="col">Check</th><th scope="col">Result</th><th scope="col" class="number">Took</th></tr></thead><tbody>
${shown.map((check) => renderCheck(check, budget))}</tbody></table>
${shown.length < checks.length && renderNote(`${countWord(checks.length - shown.length, "more check is", "more checks are")} left out here.`)}`;
}

const rank = ({ verdict }: CheckResult) => (verdict === "passed" ? 1 : 0);

function renderCheck(result: CheckResult, budget: PageBudget): Html {
  const evidence = renderEvidence(result, budget);
  return html`<tr><td>${renderBadge(result.verdict)}</td><td><code class="type">${result.type}</code>${result.name !== undefined && html` ${result.name}`}${renderSubject(result)}${renderRemarks(result)}</td>
<td><p class="reason">${shortenText(result.reason, { lines: 12, characters: 1200 }).text}</p>${renderProof(result)}${evidence}</td><td class="number">${formatDuration(result.durationMs)}</td></tr>
`;
}

function renderSubject({ check }: CheckResult): Html | null {
  const subject = subjectOf(check);
  if (subject === "") return null;
  return html`<div class="subject"><code>${shortenText(subject, { lines: 4, characters: 400 }).text}</code></div>`;
}

function renderRemarks(result: CheckResult): Html {
  const { implied, alsoPassesBefore, check, source = "plan" } = result;
  const isEmpty = alsoPassesBefore === true && provesNothing(result);
  return html`${source !== "plan" && html`<div class="remark">required by the ${source}</div>`}${implied === true && html`<div class="remark">a rule that holds for every task</div>`}${
    isEmpty &&
    html`<div class="remark warn"><span aria-hidden="true">≈</span> also passes without the change${check.sufficient === true ? "; a person declared it sufficient" : ": it proves nothing about the change"}</div>`
  }`;
}

function renderEvidence({ evidence, verdict, code }: CheckResult, budget: PageBudget): Html | null {
  const parts = Object.entries(evidence).filter(([, value]) => value !== "" && value !== null && value !== undefined);
  if (parts.length === 0) return null;
  return html`<details${verdict !== "passed" && html` open`}><summary>Evidence${verdict !== "passed" && html` <span class="quiet">(${code})</span>`}</summary><dl class="evidence">${parts
    .slice(0, 20)
    .map(([name, value]) => renderPart(name, value, budget))}</dl></details>`;
}

function renderPart(name: string, value: unknown, budget: PageBudget): Html {
  const plain = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  const { text, note } = budget.take(plain ?? "", EVIDENCE);
  const body = text.includes("\n") || text.length > 80 ? html`<pre>${text}</pre>` : html`<code>${text}</code>`;
  return html`<dt>${name}</dt><dd>${body}${note !== null && renderNote(note)}</dd>`;
}

/** Checks that belong to no task: those of a directory. */
export function renderOwnChecks(
  checks: readonly CheckResult[],
  strength: StrengthEvidence | null,
  budget: PageBudget,
): Html | null {
  if (checks.length === 0) return null;
  const passed = checks.filter(({ verdict }) => verdict === "passed").length;
  return html`<section class="card"><h2>Checks <span class="quiet">${passed} of ${checks.length} passed</span></h2>
${renderChecks(checks, budget)}${strength !== null && html`<div class="proof">${renderStrength(strength)}</div>`}</section>
`;
}
