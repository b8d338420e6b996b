import { findFormatters } from "./find-formatters.ts";
import { findLanguages, languageOf } from "./find-languages.ts";
import type { WorkspaceScan } from "./scan-workspace.ts";

const MAX_LANGUAGES = 3;
const MAX_SAMPLES = 20;
const MIN_LINES = 20;
const COLUMNS = [79, 80, 88, 99, 100, 110, 120, 140, 160];
const QUOTED = new Set(["Python", "JavaScript", "TypeScript"]);
const SEMICOLONS = new Set(["JavaScript", "TypeScript"]);

/** How the code here is written, measured on samples of each of its main languages. */
export async function findConventions(scan: WorkspaceScan): Promise<string[]> {
  const conventions: string[] = [];
  const languages = findLanguages(scan.paths).filter(({ name }) => !["Jupyter", "HTML", "SQL"].includes(name));
  for (const { name } of languages.slice(0, MAX_LANGUAGES)) {
    const lines = await readSamples(scan, name);
    if (lines.length < MIN_LINES) continue;
    const facts = [
      describeIndentation(lines),
      QUOTED.has(name) ? describeQuotes(lines) : null,
      SEMICOLONS.has(name) ? describeSemicolons(lines) : null,
      describeLength(lines),
    ].filter((text) => text !== null);
    if (facts.length > 0) conventions.push(`${name}: ${facts.join(", ")}`);
  }
  return [...conventions, ...(await findFormatters(scan))];
}

/** Spread over all files of the language, so that one corner of the workspace does not speak for the rest. */
async function readSamples(scan: WorkspaceScan, language: string): Promise<string[]> {
  const paths = scan.paths.filter((path) => languageOf(path) === language);
  const step = Math.max(1, Math.floor(paths.length / MAX_SAMPLES));
  const lines: string[] = [];
  for (let index = 0; index < paths.length && index / step < MAX_SAMPLES; index += step) {
    lines.push(...((await scan.read(paths[index] ?? "")) ?? "").split(/\r?\n/));
  }
  return lines;
}

/** The commonest step by which a line is indented further than the one before it. */
function describeIndentation(lines: readonly string[]): string | null {
  const steps = new Map<string, number>();
  let before = "";
  for (const line of lines) {
    if (line.trim() === "") continue;
    const indentation = /^[ \t]*/.exec(line)?.[0] ?? "";
    if (indentation.length > before.length && indentation.startsWith(before)) {
      const step = indentation.slice(before.length);
      steps.set(step, (steps.get(step) ?? 0) + 1);
    }
    before = indentation;
  }
  const [step] = [...steps].sort((one, other) => other[1] - one[1])[0] ?? [];
  if (step === undefined) return null;
  if (step.startsWith("\t")) return "indented by tabs";
  return step.length <= 8 ? `indented by ${step.length} spaces` : null;
}

function describeQuotes(lines: readonly string[]): string | null {
  let [double, single] = [0, 0];
  for (const line of lines) {
    for (const [, quote] of line.slice(0, 400).matchAll(/(["'])(?:\\.|(?!\1)[^\\])*\1/g)) {
      if (quote === '"') double += 1;
      else single += 1;
    }
  }
  if (double + single < 10) return null;
  if (double > single * 3) return "double quotes";
  return single > double * 3 ? "single quotes" : "both kinds of quotes";
}

function describeSemicolons(lines: readonly string[]): string | null {
  const ends = lines
    .map((line) => line.trimEnd())
    .filter((line) => /[\w)\]"';]$/.test(line) && !/^\s*(\/\/|\*)/.test(line));
  if (ends.length < 10) return null;
  const share = ends.filter((line) => line.endsWith(";")).length / ends.length;
  if (share > 0.5) return "semicolons";
  return share < 0.05 ? "no semicolons" : null;
}

/** The narrowest of the usual widths that nearly all lines keep to. */
function describeLength(lines: readonly string[]): string | null {
  const lengths = lines.map((line) => line.length).sort((one, other) => one - other);
  const most = lengths[Math.floor(lengths.length * 0.99)] ?? 0;
  const columns = COLUMNS.find((width) => most <= width);
  return columns === undefined ? null : `lines up to ${columns} columns`;
}
