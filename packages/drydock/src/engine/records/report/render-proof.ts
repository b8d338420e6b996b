import {
  type CheckResult,
  type ControlEvidence,
  describeControl,
  describeStrength,
  describeTests,
  type StrengthEvidence,
  type TestEvidence,
} from "@drydock/protocol";
import { type Html, html } from "./html.ts";
import { formatCount } from "./quantities.ts";
import { shortenText } from "./shorten-text.ts";

/** Test by test, the negative control, and how strong the tests are: what a check that passed is worth. */
export function renderProof({ verdict, tests, control, strength }: CheckResult): Html | null {
  if (!tests && !control && !strength) return null;
  return html`<div class="proof">${tests !== undefined && renderTests(tests, verdict !== "passed")}${control !== undefined && renderControl(control)}${strength !== undefined && renderStrength(strength)}</div>`;
}

const MAX_IDS = 10;
/** In the order of the bar and of the lists below it. */
const KINDS = [
  ["newlyPassing", "Newly passing", "fresh"],
  ["stillPassing", "Still passing", "good"],
  ["skipped", "Skipped", "warn"],
  ["stillFailing", "Still failing", "idle"],
  ["missing", "Missing", "bad"],
  ["newlyFailing", "Newly failing", "bad"],
] as const;

function renderTests(tests: TestEvidence, isOpen: boolean): Html {
  const { counts } = tests;
  const total = KINDS.reduce((sum, [key]) => sum + counts[key], 0);
  const shown = KINDS.filter(([key]) => counts[key] > 0);
  let x = 0;
  const bars = shown.map(([key, name, tone]) => {
    const width = (counts[key] / total) * 100;
    const bar = html`<rect class="${tone}" x="${x.toFixed(2)}%" width="${width.toFixed(2)}%" height="8"><title>${name}: ${formatCount(counts[key])}</title></rect>`;
    x += width;
    return bar;
  });
  const lists = [
    listIds("Newly failing", tests.newlyFailing, counts.newlyFailing, isOpen),
    listIds("Missing", tests.missing, counts.missing, isOpen),
    listIds("Skipped", tests.skipped, counts.skipped, isOpen),
    listIds("Still failing", tests.stillFailing, counts.stillFailing, false),
    listIds("Newly passing", tests.newlyPassing, counts.newlyPassing, false),
  ];
  return html`<p>${describeTests(tests)}</p>${total > 0 && html`<svg class="tests" height="8" role="img" aria-label="${describeTests(tests)}">${bars}</svg>`}${lists}`;
}

function listIds(name: string, ids: readonly string[], count: number, isOpen: boolean): Html | null {
  if (ids.length === 0) return null;
  const shown = ids.slice(0, MAX_IDS);
  const rest = Math.max(count, ids.length) - shown.length;
  return html`<details${isOpen && html` open`}><summary>${name} <span class="quiet">${formatCount(Math.max(count, ids.length))}</span></summary><ul class="ids">${shown.map((id) => html`<li><code>${cut(id)}</code></li>`)}${rest > 0 && html`<li class="quiet">and ${formatCount(rest)} more</li>`}</ul></details>`;
}

function renderControl(control: ControlEvidence): Html {
  const text = shortenText(describeControl(control), { lines: 4, characters: 600 }).text;
  const [mark, tone] =
    control.failed === true ? ["✓", "good"] : control.failed === false ? ["≈", "warn"] : ["–", "idle"];
  return html`<p class="line ${tone}"><span aria-hidden="true">${mark}</span> ${text}</p>${listIds("Pass under the control as well", control.survivors, control.survivors.length, true)}`;
}

export function renderStrength(strength: StrengthEvidence): Html {
  const { survivors, score } = strength;
  const shown = survivors
    .slice(0, MAX_IDS)
    .map(
      ({ path, line, operator, diff }) =>
        html`<li><code>${cut(path)}:${line}</code> ${cut(operator)}${diff !== "" && html`<pre>${shortenText(diff, { lines: 12, characters: 1200 }).text}</pre>`}</li>`,
    );
  const rest = survivors.length - shown.length;
  const list = html`<details><summary>Faults that no check notices <span class="quiet">${formatCount(survivors.length)}</span></summary><ul class="ids">${shown}${rest > 0 && html`<li class="quiet">and ${formatCount(rest)} more</li>`}</ul></details>`;
  return html`<p class="line idle"><span aria-hidden="true">◔</span> ${describeStrength(strength)}${score !== null && ` (${Math.round(score * 100)} %)`}</p>${survivors.length > 0 && list}`;
}

const cut = (text: string) => shortenText(text, { lines: 2, characters: 300 }).text;
