export interface Table {
  /** By the names in the first line; cells that are empty are left out, numbers are numbers. */
  rows: Record<string, unknown>[];
  delimiter: string;
  /** Rows with more or fewer cells than the first line. */
  ragged: number;
}

const DELIMITERS = [",", ";", "\t", "|"];
const MAX_ROWS = 50_000;
const MAX_COLUMNS = 500;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/**
 * Rows of cells with names in the first line, or null where the text is none.
 * @param isSaid Somebody said that it is a table: one column is enough.
 */
export function readTable(text: string, isSaid = false): Table | null {
  const sample = text.slice(0, 20_000);
  const scored = DELIMITERS.map((delimiter) => ({ delimiter, score: scoreRows(splitRows(sample, delimiter)) }));
  const best = scored.reduce((one, other) => (other.score > one.score ? other : one));
  if (best.score === 0 && !isSaid) return null;
  const [head, ...body] = splitRows(text, best.delimiter);
  if (!head || body.length === 0) return null;
  const names = nameColumns(head);
  return {
    delimiter: best.delimiter,
    ragged: body.filter((cells) => cells.length !== head.length).length,
    rows: body.map((cells) => toRow(names, cells)),
  };
}

/** 0 where the lines do not agree on how many cells there are, else how many. */
function scoreRows(rows: readonly string[][]): number {
  const width = rows[0]?.length ?? 0;
  // The last row of a sample may be cut.
  const body = rows.slice(1, rows.length > 2 ? -1 : undefined);
  if (width < 2 || body.length === 0) return 0;
  // Prose has commas, too; a heading has names.
  if (rows[0]?.some((cell) => cell.trim() === "" || cell.length > 80 || NUMBER.test(cell.trim()))) return 0;
  const fitting = body.filter((cells) => cells.length === width).length;
  return fitting >= body.length * 0.8 ? width : 0;
}

function splitRows(text: string, delimiter: string): string[][] {
  const rows: string[][] = [];
  let cells: string[] = [];
  let cell = "";
  let quoted = false;
  const endRow = () => {
    cells.push(cell);
    if (cells.length > 1 || cell.trim() !== "") rows.push(cells.slice(0, MAX_COLUMNS));
    [cells, cell] = [[], ""];
  };
  for (let at = 0; at < text.length && rows.length <= MAX_ROWS; at++) {
    const char = text[at];
    if (quoted) {
      if (char !== '"') cell += char;
      else if (text[at + 1] === '"') cell += text[at++];
      else quoted = false;
    } else if (char === '"' && cell === "") quoted = true;
    else if (char === delimiter) {
      cells.push(cell);
      cell = "";
    } else if (char === "\n") endRow();
    else if (char !== "\r") cell += char;
  }
  if (cell !== "" || cells.length > 0) endRow();
  return rows;
}

/** Every column has a name of its own. */
function nameColumns(head: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return head.map((cell, index) => {
    const name = cell.trim() || `column ${index + 1}`;
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  });
}

function toRow(names: readonly string[], cells: readonly string[]): Record<string, unknown> {
  const entries = names.flatMap((name, index) => {
    const cell = cells[index]?.trim() ?? "";
    return cell === "" ? [] : [[name, NUMBER.test(cell) ? Number(cell) : cell] as const];
  });
  return Object.fromEntries(entries);
}
