import {
  type CheckResult,
  describeControl,
  describeStrength,
  describeTests,
  type StrengthEvidence,
  type TestEvidence,
  type Verification,
} from "@drydock/protocol";
import { cleanLine, cleanText } from "../../terminal/clean-text.ts";
import { renderDuration } from "../../terminal/render/render-quantities.ts";
import type { Colors } from "../../terminal/terminal.ts";
import { labelSource } from "../goal/label-check.ts";

const TAIL_LINES = 12;
const MAX_LISTED = 10;

/** One check a line: whether it passed, what was found, what that proves, and, where it failed, the end of its output. */
export function renderCheck(result: CheckResult, colors: Colors): string {
  const { verdict, name, type, reason, durationMs, alsoPassesBefore, source } = result;
  const mark = verdict === "passed" ? colors.green("✓") : colors.red("✗");
  const label = colors.bold(cleanLine(name ?? type));
  const word = verdict === "refused" ? ` ${colors.red("refused:")}` : "";
  const worth = result.check.sufficient === true ? "; a person declared it sufficient" : ": it proves nothing";
  const note = alsoPassesBefore ? colors.yellow(` (also passes on the tree before${worth})`) : "";
  const head = `${mark} ${label}${colors.dim(labelSource(source))} —${word} ${cleanLine(reason)}${note} ${colors.dim(renderDuration(durationMs))}\n`;
  const proof = renderProof(result, colors);
  return verdict === "passed" ? head + proof : head + proof + renderEvidence(result, colors);
}

/** What a check proves, test by test, against its control, and by the faults that it notices. */
export function renderProof({ verdict, tests, control, strength }: CheckResult, colors: Colors): string {
  const lines = [
    ...(tests ? [describeTests(tests), ...(verdict === "passed" ? [] : listFailures(tests))] : []),
    ...(control ? [paintControl(describeControl(control), control.failed, colors)] : []),
    ...(strength ? [describeStrength(strength), ...listSurvivors(strength)] : []),
  ];
  return lines.map((line) => `    ${line}\n`).join("");
}

function paintControl(text: string, failed: boolean | null, colors: Colors): string {
  return failed === false ? colors.yellow(text) : cleanLine(text);
}

function listFailures({ counts, newlyFailing, missing, skipped }: TestEvidence): string[] {
  return [
    ...listSome("newly failing", newlyFailing, counts.newlyFailing),
    ...listSome("missing", missing, counts.missing),
    ...listSome("skipped", skipped, counts.skipped),
  ];
}

function listSurvivors({ survivors }: StrengthEvidence): string[] {
  const texts = survivors.map(({ path, line, operator }) => `${path}:${line} ${operator}`);
  return listSome("survived", texts, texts.length);
}

/** `count` is of all; the list itself may have been cut before. */
function listSome(word: string, texts: readonly string[], count: number): string[] {
  const shown = texts.slice(0, MAX_LISTED).map((text) => `  ${word}: ${cleanLine(text)}`);
  const rest = Math.max(count, texts.length) - shown.length;
  return rest > 0 ? [...shown, `  and ${rest} more`] : shown;
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

/** What everybody should know of it, one line each. */
export function renderNotes(notes: readonly string[]): string {
  return notes.map((note) => `note: ${cleanLine(note)}\n`).join("");
}

/** `failed: 3 of 4 checks failed (tree …)`: a verdict that is not plain from the count says why. */
export function renderVerdict({ verdict, treeHash, checks, repeated, reason }: Verification, colors: Colors): string {
  const passed = checks.filter((check) => check.verdict === "passed").length;
  const isFailure = verdict === "failed" && passed < checks.length;
  const paint = verdict === "passed" ? colors.green : verdict === "failed" ? colors.red : colors.yellow;
  const noun = checks.length === 1 ? "check" : "checks";
  const count = isFailure
    ? `${checks.length - passed} of ${checks.length} ${noun} failed`
    : `${passed} of ${checks.length} ${noun} passed`;
  const why = verdict !== "passed" && !isFailure && reason ? `; ${cleanLine(reason)}` : "";
  const again = repeated > 0 ? `, made ${repeated + 1} times because the directory changed meanwhile` : "";
  return `${paint(verdict)}: ${count}${again}${why} ${colors.dim(`(tree ${treeHash.slice(0, 12)})`)}\n`;
}
