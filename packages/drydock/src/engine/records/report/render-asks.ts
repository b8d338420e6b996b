import { countWord } from "@drydock/protocol";
import type { AskView } from "../goal-view.ts";
import { type Html, html } from "./html.ts";
import { formatCost, formatCount, formatDuration } from "./quantities.ts";
import { shortenText } from "./shorten-text.ts";

const MAX_ROWS = 60;

/** Requests to a model, folded away: who answered, and what it took. */
export function renderAsks(asks: readonly AskView[]): Html {
  const rows = asks.slice(0, MAX_ROWS).map(
    (ask) =>
      html`<tr><td>${ask.step}</td><td>${ask.model}${ask.scripted && html` <span class="badge warn">scripted</span>`}</td><td class="number">${ask.usage ? `${formatCount(ask.usage.inputTokens)} → ${formatCount(ask.usage.outputTokens)}` : "–"}</td><td class="number">${ask.usage ? formatCost(ask.usage.costUsd) : "–"}</td><td class="number">${ask.durationMs === null ? "–" : formatDuration(ask.durationMs)}</td><td>${ask.failure === null ? shortenText(ask.summary, { lines: 3, characters: 300 }).text : html`<span class="not-ok">✗ ${ask.failure}</span>`}</td></tr>
`,
  );
  return html`<details class="fold"><summary>${countWord(asks.length, "model call")}</summary><div class="scroll"><table class="plain"><thead><tr><th scope="col">Step</th><th scope="col">Model</th><th scope="col" class="number">Tokens in → out</th><th scope="col" class="number">Cost</th><th scope="col" class="number">Took</th><th scope="col">Said</th></tr></thead><tbody>${rows}</tbody></table></div>${asks.length > MAX_ROWS && html`<p class="note">${asks.length - MAX_ROWS} more are left out here.</p>`}</details>`;
}
