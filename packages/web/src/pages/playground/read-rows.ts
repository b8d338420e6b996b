export interface ResultRows {
  columns: string[];
  rows: string[][];
  /** How many there are; more than are shown. */
  total: number;
}

const MOST_ROWS = 200;
const MOST_COLUMNS = 50;

/** A list of records as a table: `[{"region": "north", "units": 3}, …]`. Null: the value is something else. */
export function readRows(value: unknown): ResultRows | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const records = value.slice(0, MOST_ROWS);
  if (!records.every(isRecord)) return null;
  const columns = [...new Set(records.flatMap((record) => Object.keys(record)))];
  if (columns.length === 0 || columns.length > MOST_COLUMNS) return null;
  return { columns, rows: records.map((record) => columns.map((column) => show(record[column]))), total: value.length };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && Object.values(value).every(isPlain);
}

function isPlain(value: unknown): boolean {
  return typeof value !== "object" || value === null;
}

function show(value: unknown): string {
  return value === undefined || value === null ? "" : String(value);
}
