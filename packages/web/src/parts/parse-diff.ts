export interface DiffLine {
  kind: "same" | "added" | "removed";
  text: string;
  /** Number of the line before and after the change; null where it is not there. */
  before: number | null;
  after: number | null;
}

/** Two lines side by side. */
export interface DiffRow {
  left: DiffLine | null;
  right: DiffLine | null;
}

export interface DiffHunk {
  header: string;
  rows: DiffRow[];
}

export interface DiffFile {
  path: string;
  /** The earlier name, where it was renamed. */
  from: string | null;
  kind: "added" | "changed" | "deleted";
  isBinary: boolean;
  added: number;
  removed: number;
  hunks: DiffHunk[];
}

/** A unified diff, as `git diff` writes it, put side by side. */
export function parseDiff(text: string): DiffFile[] {
  const files: DiffFile[] = [];
  let reader: ReturnType<typeof createHunkReader> | null = null;
  for (const line of text.split("\n")) {
    const file = files.at(-1);
    if (line.startsWith("diff --git ")) {
      reader?.end();
      reader = null;
      files.push({ path: nameOf(line), from: null, kind: "changed", isBinary: false, added: 0, removed: 0, hunks: [] });
    } else if (file && line.startsWith("@@ ")) {
      reader?.end();
      reader = createHunkReader(file, line);
    } else if (reader?.read(line)) continue;
    else if (file) readHeader(file, line);
  }
  reader?.end();
  return files;
}

function readHeader(file: DiffFile, line: string): void {
  if (line.startsWith("new file")) file.kind = "added";
  else if (line.startsWith("deleted file")) file.kind = "deleted";
  else if (line.startsWith("rename from ")) file.from = unquote(line.slice("rename from ".length));
  else if (line.startsWith("rename to ")) file.path = unquote(line.slice("rename to ".length));
  else if (line.startsWith("+++ ") && !line.endsWith("/dev/null")) file.path = stripSide(line.slice(4));
  else if (/^(Binary files|GIT binary patch)/.test(line)) file.isBinary = true;
}

/** Counts the lines that the header of a hunk promises: what a file says can't be taken for the next header. */
function createHunkReader(file: DiffFile, header: string) {
  const [, from = "1", fromCount = "1", to = "1", toCount = "1"] =
    /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(header) ?? [];
  const hunk: DiffHunk = { header, rows: [] };
  file.hunks.push(hunk);
  let [before, after] = [Number(from), Number(to)];
  let [leftOver, rightOver] = [Number(fromCount), Number(toCount)];
  let removed: DiffLine[] = [];
  let added: DiffLine[] = [];
  const pair = () => {
    for (let at = 0; at < Math.max(removed.length, added.length); at++) {
      hunk.rows.push({ left: removed[at] ?? null, right: added[at] ?? null });
    }
    removed = [];
    added = [];
  };
  return {
    end: pair,
    read(line: string): boolean {
      if (line.startsWith("\\")) return true;
      if (leftOver <= 0 && rightOver <= 0) return false;
      const text = line.slice(1);
      if (line.startsWith("-")) {
        removed.push({ kind: "removed", text, before: before++, after: null });
        leftOver--;
        file.removed++;
      } else if (line.startsWith("+")) {
        added.push({ kind: "added", text, before: null, after: after++ });
        rightOver--;
        file.added++;
      } else {
        pair();
        const same: DiffLine = { kind: "same", text, before: before++, after: after++ };
        hunk.rows.push({ left: same, right: same });
        leftOver--;
        rightOver--;
      }
      return true;
    },
  };
}

function nameOf(line: string): string {
  const rest = line.slice("diff --git ".length);
  const [, quoted] = / ("b\/.*")$/.exec(rest) ?? [];
  if (quoted) return stripSide(quoted);
  const half = rest.slice((rest.length + 1) / 2);
  return half.startsWith("b/") ? half.slice(2) : stripSide(rest.split(" b/").at(-1) ?? rest);
}

function stripSide(name: string): string {
  return unquote(name.replace(/\t$/, "")).replace(/^[ab]\//, "");
}

/** Git quotes names with special characters as C does. */
function unquote(name: string): string {
  if (!/^".*"$/.test(name)) return name;
  const bytes: number[] = [];
  for (const [, octal, escaped, plain] of name.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/g)) {
    if (octal) bytes.push(Number.parseInt(octal, 8));
    else bytes.push(...new TextEncoder().encode(escaped ? (ESCAPES[escaped] ?? escaped) : plain));
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", a: "\x07", b: "\b", f: "\f", v: "\v" };
