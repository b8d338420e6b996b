import { countWord, type Layer, type LayerEntry } from "@drydock/protocol";
import type { DeliveryView, GoalView } from "../goal-view.ts";
import { type Html, html } from "./html.ts";
import { formatBytes, formatTime } from "./quantities.ts";
import { renderNote } from "./state-mark.ts";

const MAX_ENTRIES = 200;
const SIGNS = { added: "+", changed: "~", deleted: "−" } as const;

/** What became of the changes, and which paths they are. */
export function renderDelivery(view: GoalView, layer: Layer | null): Html {
  const steps = view.deliveries.map(
    (step) => html`<li>${describeStep(step, view.workspace)} <span class="quiet">${formatTime(step.at)}</span></li>`,
  );
  const none = html`<p>Nothing was delivered: the workspace is as it was.</p>`;
  return html`<section class="card"><h2>What was delivered</h2>${steps.length === 0 ? none : html`<ul class="steps">${steps}</ul>`}${layer && renderEntries(layer)}</section>
`;
}

function describeStep({ type, branch, commit, reason }: DeliveryView, workspace: string | null): Html {
  const because = reason ? html` (${reason})` : null;
  if (type === "layer.discarded") return html`Discarded: the changes were thrown away${because}.`;
  if (type === "layer.reverted") return html`Reverted: the workspace was put back as it was${because}.`;
  if (branch)
    return html`Committed to the branch <code>${branch}</code>${commit !== null && html` as <code>${commit}</code>`}${because}.`;
  return html`Applied to <code>${workspace ?? "the workspace"}</code>, all at once${because}.`;
}

function renderEntries(layer: Layer): Html {
  const entries = layer.entries.filter(({ type, kind }) => type !== "directory" || kind === "deleted");
  if (entries.length === 0) return html`<p class="quiet">The run changed no file.</p>`;
  return html`<p class="quiet">${countWord(entries.length, "path")} of the run's result:</p><ul class="entries">${entries.slice(0, MAX_ENTRIES).map(renderEntry)}</ul>${entries.length > MAX_ENTRIES && renderNote(`${entries.length - MAX_ENTRIES} more are left out here.`)}`;
}

function renderEntry({ path, kind, type, size }: LayerEntry): Html {
  const detail = type === "symlink" ? "link" : size === undefined || kind === "deleted" ? "" : formatBytes(size);
  return html`<li class="${kind}"><span aria-hidden="true">${SIGNS[kind]}</span> <code>${path}</code> <span class="quiet">${kind}${detail && `, ${detail}`}</span></li>`;
}
