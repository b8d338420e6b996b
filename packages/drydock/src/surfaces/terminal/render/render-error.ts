import type { ErrorInfo } from "@drydock/protocol";
import { cleanLine, cleanText } from "../clean-text.ts";
import type { Colors } from "../terminal.ts";

/** An error for people: what, where, and what to do about it. */
export function renderError(info: ErrorInfo, colors: Colors): string {
  const message = cleanText(info.message).replaceAll("\n", "\n  ");
  // What a runner itself calls its failure stands in its guide.
  const own = typeof info.runnerCode === "string" ? ` (${cleanLine(info.runnerCode)})` : "";
  const lines = [`${colors.red("✗")} ${colors.bold(info.code)}${own} — ${message}${renderPlace(info)}`];
  for (const problem of listProblems(info)) lines.push(`  also: ${cleanText(problem)}`);
  if (info.hint) lines.push(`  ${colors.cyan("hint:")} ${cleanText(info.hint).replaceAll("\n", "\n    ")}`);
  return `${lines.join("\n")}\n`;
}

function renderPlace({ message, line, column }: ErrorInfo): string {
  if (line === undefined || /\bline \d|:\d+:\d+\b/.test(message)) return "";
  return column === undefined ? ` (line ${line})` : ` (line ${line}, column ${column})`;
}

/** The problems of a policy file that the message only counts. */
function listProblems({ problems }: ErrorInfo): string[] {
  if (!Array.isArray(problems)) return [];
  return problems.slice(1).filter((problem) => typeof problem === "string");
}
