import { countWord, type Divergence } from "@drydock/protocol";
import type { ReplayResult } from "../../../app/index.ts";
import { cutText } from "../../../base/text/index.ts";
import { cleanLine } from "../../terminal/clean-text.ts";
import type { Colors } from "../../terminal/terminal.ts";

const MAX_SHOWN = 30;

export function renderReplay(result: ReplayResult, colors: Colors): string {
  const { ok, divergences, steps, verdict, treeHash, replayOf } = result;
  if (ok) {
    const tree = treeHash === null ? "" : `, tree ${treeHash.slice(0, 12)}`;
    return `${colors.green("✓")} ${replayOf}: ${countWord(steps, "step")}, no divergence (verdict ${verdict}${tree})\n`;
  }
  const [cause, ...rest] = divergences;
  if (cause?.step === "workspace") return renderOtherTree(replayOf, cause, rest.length, colors);
  const lines = divergences.slice(0, MAX_SHOWN).map(({ step, what, recorded, replayed }) => {
    const comparison = `${colors.dim("recorded")} ${show(recorded)}  ${colors.dim("replayed")} ${show(replayed)}`;
    return `  ${colors.red("✗")} ${cleanLine(step)}: ${cleanLine(what)}\n      ${comparison}\n`;
  });
  if (divergences.length > MAX_SHOWN) lines.push(`  … and ${divergences.length - MAX_SHOWN} more\n`);
  const count = countWord(divergences.length, "divergence");
  return `${colors.red("✗")} ${replayOf}: ${count}\n${lines.join("")}`;
}

/** On another tree every result differs: then only that is shown. */
function renderOtherTree(runId: string, { recorded, replayed }: Divergence, others: number, colors: Colors): string {
  const short = (value: unknown) => (typeof value === "string" ? cleanLine(value).slice(0, 12) : "unknown");
  const what = `the workspace is another tree (${short(replayed)}) than the one that the run began with (${short(recorded)}).`;
  const count = countWord(others, "divergence follows", "divergences follow");
  const more = others === 0 ? "" : `  ${colors.dim(`${count} from that; --json lists them all.`)}\n`;
  return `${colors.red("✗")} ${runId}: ${what}\n${more}  Restore that state (for example with git), or give a copy in that state: --workspace DIR\n`;
}

function show(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing");
  return cleanLine(cutText(text, 100));
}
