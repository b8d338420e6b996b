import type { CheckResult, Verification } from "@drydock/protocol";
import { labelSource } from "../goal/label-check.ts";
import type { Colors } from "../terminal.ts";
import { cleanLine, cleanText } from "./clean-text.ts";
import { renderDuration } from "./render-quantities.ts";

const TAIL_LINES = 12;

/** One check a line: whether it passed, what was found, and, where it did not, the end of what it printed. */
export function renderCheck(result: CheckResult, colors: Colors): string {
  const { verdict, name, type, reason, durationMs, alsoPassesBefore, source } = result;
  const mark = verdict === "passed" ? colors.green("✓") : colors.red("✗");
  const label = colors.bold(cleanLine(name ?? type));
  const word = verdict === "refused" ? ` ${colors.red("refused:")}` : "";
  const note = alsoPassesBefore ? colors.yellow(" (also passes on the tree before: it proves nothing)") : "";
  const head = `${mark} ${label}${colors.dim(labelSource(source))} —${word} ${cleanLine(reason)}${note} ${colors.dim(renderDuration(durationMs))}\n`;
  return verdict === "passed" ? head : head + renderEvidence(result, colors);
}

function renderEvidence({ evidence }: CheckResult, colors: Colors): string {
  const texts = ["diff", "stdout", "stderr", "head", "body", "error"].flatMap((key) => {
    const text = evidence[key];
    return typeof text === "string" && text.trim() !== "" ? [text] : [];
  });
  const services = Array.isArray(evidence.services) ? evidence.services : [];
  for (const { output } of services) if (typeof output === "string" && output.trim() !== "") texts.push(output);
  return texts
    .flatMap((text) => cleanText(text).trimEnd().split("\n").slice(-TAIL_LINES))
    .map((line) => `    ${colors.dim(line)}\n`)
    .join("");
}

export function renderVerdict({ verdict, treeHash, checks, repeated }: Verification, colors: Colors): string {
  const count = checks.filter((check) => check.verdict === "passed").length;
  const paint = verdict === "passed" ? colors.green : colors.red;
  const again = repeated > 0 ? `, made ${repeated + 1} times because the directory changed meanwhile` : "";
  return `${paint(verdict)}: ${count} of ${checks.length} checks${again} ${colors.dim(`(tree ${treeHash.slice(0, 12)})`)}\n`;
}
