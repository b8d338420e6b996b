import { countWord, type Divergence, type ReplayResult } from "@drydock/protocol";
import { cutText } from "../../../base/text/index.ts";
import { cleanLine } from "../../terminal/clean-text.ts";
import type { Colors } from "../../terminal/terminal.ts";

const MAX_SHOWN = 30;
const FACT_CHARS = 400;
const CONTEXT_CHARS = 40;

/** The cause in full, and how much follows from it. */
export function renderReplay(result: ReplayResult, colors: Colors): string {
  const { ok, divergences, steps, verdict, treeHash, replayOf } = result;
  const notes = result.notes.map((note) => `  ${colors.dim(`note: ${cleanLine(note)}`)}\n`).join("");
  if (ok) {
    const facts = [
      ...(verdict === "unverified" ? [] : [`verdict ${verdict}`]),
      ...(treeHash === null ? [] : [`tree ${treeHash.slice(0, 12)}`]),
    ];
    const end = facts.length === 0 ? "" : ` (${facts.join(", ")})`;
    return `${colors.green("✓")} ${replayOf}: ${countWord(steps, "step")}, no divergence${end}\n${notes}`;
  }
  const causes = divergences.filter(({ follows }) => !follows);
  const following = divergences.length - causes.length;
  const shown = causes.slice(0, MAX_SHOWN);
  const more = causes.length > shown.length ? `  … and ${causes.length - shown.length} more\n` : "";
  const rest = following === 0 ? "" : `  ${colors.dim(foldRest(following))}\n`;
  const head = `${colors.red("✗")} ${replayOf}: `;
  const [cause] = causes;
  if (cause?.cause === "workspace") return `${head}${renderOtherTree(cause)}${rest}${RESTORE}${notes}`;
  const lines = shown.map((divergence) => renderCause(divergence, colors)).join("");
  return `${head}${countWord(divergences.length, "divergence")}\n${lines}${more}${rest}${notes}`;
}

const RESTORE = "  Restore that state (for example with git), or give a copy in that state: --workspace DIR\n";

function foldRest(following: number): string {
  const verb = following === 1 ? "follows" : "follow";
  return `and ${following.toLocaleString("en-US")} more that ${verb} from it; --json lists them all.`;
}

function renderCause({ step, what, recorded, replayed }: Divergence, colors: Colors): string {
  const from = findDifference(recorded, replayed);
  const named = `  ${colors.red("✗")} ${cleanLine(step)}: ${cleanLine(what)}\n`;
  const was = `      ${colors.dim("recorded")} ${show(recorded, from)}\n`;
  return `${named}${was}      ${colors.dim("replayed")} ${show(replayed, from)}\n`;
}

/** Where two long texts begin to differ, and a little before: what they have in common is left out. */
function findDifference(recorded: unknown, replayed: unknown): number {
  if (typeof recorded !== "string" || typeof replayed !== "string") return 0;
  if (Math.max(recorded.length, replayed.length) <= FACT_CHARS) return 0;
  let at = 0;
  while (at < recorded.length && recorded[at] === replayed[at]) at++;
  return Math.max(0, at - CONTEXT_CHARS);
}

/** On another tree every result differs: then only that is shown. */
function renderOtherTree({ recorded, replayed }: Divergence): string {
  const short = (value: unknown) => (typeof value === "string" ? cleanLine(value).slice(0, 12) : "unknown");
  return `the workspace is another tree (${short(replayed)}) than the one that the run began with (${short(recorded)}).\n`;
}

/** A text with line ends, or with blanks at an end, is written as JSON: these may be all that differs. */
function show(value: unknown, from: number): string {
  const isPlain = typeof value === "string" && value !== "" && value === cleanLine(value);
  const text = isPlain ? value : (JSON.stringify(typeof value === "string" ? value.slice(from) : value) ?? "nothing");
  const shown = isPlain ? text.slice(from) : text;
  return `${from > 0 ? "…" : ""}${cleanLine(cutText(shown, FACT_CHARS))}`;
}
