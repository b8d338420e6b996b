import { parse } from "csv-parse/sync";
import { documentError } from "./document-error.ts";
import type { Section } from "./section.ts";

const MAX_COLUMNS = 1000;
/** Rows are joined until they have so many characters. */
const SECTION_CHARS = 800;
const SEPARATORS = [",", ";", "\t", "|"];

interface Row {
  record: string[];
  info: { lines: number };
}

/** The rows of a table, each value with the name of its column. Rows are counted without the header, from 1. */
export function readTable(text: string): Section[] {
  const rows = parseRows(text);
  const [header, ...data] = rows;
  if (!header) return [];
  const names = header.record.slice(0, MAX_COLUMNS).map(onOneLine);
  const rowsOrHeader = data.length === 0 ? [header] : data;
  const sections: Section[] = [];
  let start = 0;
  for (const [index, { record, info }] of rowsOrHeader.entries()) {
    const line = describeRow(names, record, data.length === 0);
    if (line === "") continue;
    const last = sections.at(-1);
    if (last?.rows && last.text.length + line.length <= SECTION_CHARS) {
      last.text += `\n${line}`;
      last.rows = [last.rows[0], index + 1];
    } else sections.push({ text: line, start, line: info.lines, rows: [index + 1, index + 1] });
    start += line.length + 1;
  }
  return sections;
}

function parseRows(text: string): Row[] {
  try {
    return parse(text, {
      ...{ delimiter: findSeparator(text), info: true, skip_empty_lines: true, bom: true },
      ...{ relax_quotes: true, relax_column_count: true, max_record_size: 1024 * 1024 },
    }) as unknown as Row[];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw documentError(`The table can't be read: ${reason}.`, "Check its quotes and separators.");
  }
}

/** The sign that the first line has most of. */
function findSeparator(text: string): string {
  const [line = ""] = text.split("\n", 1);
  const count = (sign: string) => line.split(sign).length;
  return SEPARATORS.reduce((best, sign) => (count(sign) > count(best) ? sign : best));
}

function describeRow(names: readonly string[], record: readonly string[], isHeader: boolean): string {
  const values = record.slice(0, MAX_COLUMNS).map(onOneLine);
  if (isHeader) return values.filter(Boolean).join("; ");
  return values
    .flatMap((value, index) => (value ? [`${names[index] || `column ${index + 1}`}: ${value}`] : []))
    .join("; ");
}

function onOneLine(value: string): string {
  return value.replace(/\s+/g, " ").trim();
}
