import { looksLikeLog } from "./describe-log.ts";
import type { Subject } from "./read-subject.ts";
import { readTable } from "./read-table.ts";

/** What a text is, with what was read from it on the way. */
export type DetectedContent =
  | { kind: "empty" }
  | { kind: "json"; value: unknown }
  | { kind: "json lines"; value: unknown[]; broken: number }
  | { kind: "csv"; value: Record<string, unknown>[]; ragged: number; delimiter: string }
  | { kind: "html" | "xml" | "log" }
  /** `problem`: it sets out to be JSON and is not. */
  | { kind: "text"; problem: string | null };

const MIN_ROWS = 2;

export function detectContent({
  text,
  mime,
  truncated,
}: Pick<Subject, "text" | "mime" | "truncated">): DetectedContent {
  const trimmed = text.trim();
  if (trimmed === "") return { kind: "empty" };
  const json = parse(trimmed);
  if (json.ok) return { kind: "json", value: json.value };
  const lines = readJsonLines(trimmed, truncated);
  if (lines) return lines;
  if (/^[[{]/.test(trimmed) && (mime.includes("json") || /^[[{]\s*(["{[\]}]|-?\d)/.test(trimmed))) {
    return { kind: "text", problem: truncated ? "it is JSON of which only the head was kept" : json.reason };
  }
  if (/^(<!doctype html|<html|<head|<body)/i.test(trimmed) || mime === "text/html") return { kind: "html" };
  if (/^<\?xml|^<[a-z][\w:-]*[\s>/]/i.test(trimmed)) return { kind: /xml|svg/.test(mime) ? "xml" : markupOf(trimmed) };
  if (looksLikeLog(trimmed)) return { kind: "log" };
  const table = readTable(trimmed, mime === "text/csv");
  if (table && table.rows.length >= MIN_ROWS - 1) {
    return { kind: "csv", value: table.rows, ragged: table.ragged, delimiter: table.delimiter };
  }
  return { kind: "text", problem: null };
}

function markupOf(text: string): "html" | "xml" {
  return /^<\?xml/.test(text) || !/<(div|p|a|span|table|ul|h[1-6]|script)\b/i.test(text) ? "xml" : "html";
}

function parse(text: string): { ok: true; value: unknown } | { ok: false; reason: string } {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
}

/** One JSON value a line. The last one may be broken where the text was cut. */
function readJsonLines(text: string, truncated: boolean): DetectedContent | null {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (lines.length < MIN_ROWS || !lines.slice(0, 2).every((line) => /^\s*[[{]/.test(line))) return null;
  const mayBreak = (truncated ? 1 : 0) + lines.length * 0.02;
  const value: unknown[] = [];
  let broken = 0;
  for (const line of lines) {
    const parsed = parse(line);
    if (parsed.ok) value.push(parsed.value);
    else broken += 1;
    // Finding out that a line is broken takes long, and it may be all of them.
    if (broken > mayBreak) return null;
  }
  return { kind: "json lines", value, broken };
}
