import type { RunEvent } from "@drydock/protocol";
import { type Html, html } from "./html.ts";
import type { PageBudget } from "./shorten-text.ts";
import { renderNote } from "./state-mark.ts";

/** The output of the run itself. The output of a goal's commands is part of its checks and tool calls. */
export function renderOutput(events: readonly RunEvent[], budget: PageBudget): Html | null {
  const printed = events
    .filter(({ type }) => type === "output.recorded")
    .map(({ data }) => (typeof data.text === "string" ? data.text : ""))
    .join("");
  if (printed === "") return null;
  const { text, note } = budget.take(printed, { lines: 400, characters: 40_000 });
  return html`<section class="card"><h2>Output</h2><pre>${text}</pre>${note !== null && renderNote(note)}</section>
`;
}
