import type { RunEvent } from "@drydock/protocol";
import { cleanLine, cleanText } from "../clean-text.ts";
import { renderBytes, renderDuration } from "../render/render-quantities.ts";
import type { Colors } from "../terminal.ts";

export interface DebugDetail {
  /** Since the run's first event. */
  sinceMs: number;
  prompt?: string | undefined;
  /** What was done to confine the run, in order. */
  steps?: readonly string[];
}

const DATA_CHARS = 400;
const MAX_LINES = 200;
/** Shown in lines of their own, or said already. */
const ASIDE = new Set([
  "code",
  "error",
  "output",
  "stdout",
  "stderr",
  "usage",
  "sandbox",
  "policy",
  "owner",
  "kind",
  "result",
  "key",
  "templates",
]);

/** One event for people: what and when, then what is worth more than a line. */
export function renderDebugEvent({ runId, type, data }: RunEvent, detail: DebugDetail, colors: Colors): string {
  const paint = /failed|refused|lost|denied/.test(type) ? colors.red : colors.cyan;
  const when = `+${renderDuration(Math.max(0, detail.sinceMs))}`.padEnd(9);
  const head = `${colors.dim(`debug ${when}`)} ${paint(type)} ${colors.dim(`${shorten(runId)} ${particulars(data)}`.trimEnd())}`;
  return `${[head, ...blocks(data, detail).map(([title, text]) => renderBlock(title, text, colors))].join("\n")}\n`;
}

function particulars(data: Record<string, unknown>): string {
  const rest = Object.entries(data).filter(([name, value]) => !ASIDE.has(name) && value !== null && name !== "request");
  return rest.length === 0 ? "" : cleanLine(JSON.stringify(Object.fromEntries(rest))).slice(0, DATA_CHARS);
}

function blocks(
  data: Record<string, unknown>,
  { prompt, sinceMs, steps = [] }: DebugDetail,
): [title: string, text: string][] {
  const request = Object(data.request) as Record<string, unknown>;
  const code = data.code ?? request.code;
  const { code: _code, ...fields } = request;
  const found: [string, unknown][] = [
    ["request", Object.keys(fields).length > 0 ? JSON.stringify(fields) : undefined],
    ["prompt", prompt],
    ["code", code],
    ["stdout", data.stdout],
    ["stderr", data.stderr],
    ["sandbox", renderSandbox(data, sinceMs)],
    ["steps", steps.join(" → ")],
    ["error", typeof data.error === "object" && data.error !== null ? JSON.stringify(data.error) : undefined],
  ];
  return found.filter((block): block is [string, string] => typeof block[1] === "string" && block[1] !== "");
}

/** How strongly it was confined, what it used there, and what its place and its record took around that. */
function renderSandbox({ sandbox, usage }: Record<string, unknown>, sinceMs: number): string | undefined {
  if (typeof sandbox !== "object" || sandbox === null) return undefined;
  const { backend, level } = sandbox as Record<string, unknown>;
  const { wallMs, cpuMs, peakMemoryBytes } = Object(usage) as Record<string, unknown>;
  const around = renderDuration(Math.max(0, sinceMs - Number(wallMs ?? 0)));
  return `backend ${backend}, level ${level}; wall ${renderDuration(Number(wallMs ?? 0))}, cpu ${renderDuration(Number(cpuMs ?? 0))}, peak ${renderBytes(Number(peakMemoryBytes ?? 0))}; around it ${around}`;
}

function renderBlock(title: string, text: string, colors: Colors): string {
  const lines = cleanText(text).trimEnd().split("\n");
  const cut =
    lines.length > MAX_LINES ? [...lines.slice(0, MAX_LINES), `… ${lines.length - MAX_LINES} lines more`] : lines;
  const [first, ...rest] = cut;
  const label = `  ${title.padEnd(8)} `;
  return [
    colors.dim(`${label}${first ?? ""}`),
    ...rest.map((line) => colors.dim(`${" ".repeat(label.length)}${line}`.trimEnd())),
  ].join("\n");
}

function shorten(runId: string): string {
  return runId.slice(0, 12);
}
