import type { CapabilityOutcome } from "@drydock/protocol";
import { cleanLine } from "../clean-text.ts";
import type { Colors } from "../terminal.ts";
import { renderError } from "./render-error.ts";
import { renderBytes } from "./render-quantities.ts";

/** What people need to know beside the output: nothing, where nothing happened. */
export function renderCapability(outcome: CapabilityOutcome, colors: Colors): string {
  if (outcome.type === "capability_waiting") {
    const { id, risk } = outcome.approval;
    const how = `drydock approvals approve ${id}, or drydock approvals deny ${id}`;
    return `${colors.yellow("!")} It waits for an approval, as its risk is ${risk}: ${how}\n`;
  }
  const { artifacts, notes, runId } = outcome;
  const stored = artifacts.map(({ name, mime, size }) => `  ${cleanLine(name)} (${mime}, ${renderBytes(size)})\n`);
  const isCut = outcome.type === "capability_result" && outcome.truncated;
  return [
    outcome.type === "capability_error" ? renderError(outcome.error, colors) : "",
    ...notes.map((note) => `${colors.yellow("note:")} ${cleanLine(note)}\n`),
    isCut ? `${colors.yellow("note:")} the response is kept in part; the whole is an artifact\n` : "",
    stored.length === 0 ? "" : `${colors.bold("artifacts:")}\n${stored.join("")}`,
    stored.length > 0 && runId !== null ? colors.dim(`${runId}\n`) : "",
  ].join("");
}
