import { type ArtifactRef, type Change, countWord, describeBackend, type ExecResult } from "@drydock/protocol";
import { cleanLine } from "../clean-text.ts";
import type { Colors } from "../terminal.ts";
import { renderError } from "./render-error.ts";
import { renderBytes, renderDuration } from "./render-quantities.ts";

const SHOWN = 10;
const MARKS = { added: "+", changed: "~", deleted: "-" } as const;

/** The value of the code, for stdout, where it printed nothing itself. */
export function renderValue({ result }: ExecResult): string {
  if (result === null || result === undefined) return "";
  return `${isOpaque(result) ? cleanLine(result.repr) : JSON.stringify(result, null, 2)}\n`;
}

function isOpaque(value: unknown): value is { type: string; repr: string } {
  if (typeof value !== "object" || value === null || !("type" in value) || !("repr" in value)) return false;
  return Object.keys(value).length === 2 && typeof value.repr === "string";
}

/** What people need to know beside the output, for stderr: nothing, where nothing happened. */
export function renderOutcome(
  result: ExecResult,
  colors: Colors,
  { debug = false, ignored = new Set() }: { debug?: boolean; ignored?: ReadonlySet<string> } = {},
): string {
  const { error, notes, sandbox } = result;
  const { warning } = describeBackend(sandbox.backend);
  const changes = result.changes.filter(({ path }) => !ignored.has(path));
  const artifacts = result.artifacts.filter(({ name }) => !ignored.has(name));
  return [
    error ? renderError(error, colors) : "",
    warning === undefined ? "" : `${colors.yellow("!")} ${warning}\n`,
    ...notes.map((note) => `${colors.yellow("note:")} ${cleanLine(note)}\n`),
    renderArtifacts(artifacts, colors),
    renderChanges(changes, colors),
    ignored.size > 0 ? colors.dim(`+ ${countWord(ignored.size, "ignored file")}\n`) : "",
    artifacts.length + changes.length > 0 || debug ? colors.dim(`${result.runId}\n`) : "",
    debug ? colors.dim(renderDebug(result)) : "",
  ].join("");
}

function renderArtifacts(artifacts: readonly ArtifactRef[], colors: Colors): string {
  const lines = artifacts.map(({ name, mime, size }) => `  ${cleanLine(name)} (${mime}, ${renderBytes(size)})`);
  return renderList("artifacts:", lines, colors);
}

function renderChanges(changes: readonly Change[], colors: Colors): string {
  const paints = { added: colors.green, changed: colors.yellow, deleted: colors.red };
  const lines = changes.map(({ path, kind, renamedFrom }) => {
    const from = renamedFrom === undefined ? "" : ` (was ${cleanLine(renamedFrom)})`;
    return `  ${paints[kind](MARKS[kind])} ${cleanLine(path)}${from}`;
  });
  return renderList("changes:", lines, colors);
}

function renderList(title: string, lines: readonly string[], colors: Colors): string {
  if (lines.length === 0) return "";
  const more = lines.length > SHOWN ? [`  … and ${lines.length - SHOWN} more`] : [];
  return `${[colors.bold(title), ...lines.slice(0, SHOWN), ...more].join("\n")}\n`;
}

function renderDebug({ usage, sandbox, treeHash }: ExecResult): string {
  const used = `wall ${renderDuration(usage.wallMs)}, cpu ${renderDuration(usage.cpuMs)}, peak ${renderBytes(usage.peakMemoryBytes)}`;
  return `sandbox: ${sandbox.backend}, ${sandbox.level}\nused: ${used}\ntree: ${treeHash || "none"}\n`;
}
