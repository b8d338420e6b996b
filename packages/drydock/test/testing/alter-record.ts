import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Replaces a part of an event's data in a home's ledger, as somebody with access to the file could. */
export function alterEvent(home: string, runId: string, type: string, from: string, to: string): void {
  using database = new DatabaseSync(join(home, "ledger.db"), { timeout: 5000 });
  const rows = database.prepare("select seq, data from events where run_id = ? and type = ?").all(runId, type);
  const row = rows.find(({ data }) => String(data).includes(from));
  if (!row) throw new Error(`no event ${type} of ${runId} holds ${from}`);
  const data = String(row.data).replace(from, to);
  database.prepare("update events set data = ? where run_id = ? and seq = ?").run(data, runId, Number(row.seq));
}

/** Gives a column of a run's row another value. */
export function alterColumn(home: string, runId: string, column: string, value: string): void {
  using database = new DatabaseSync(join(home, "ledger.db"), { timeout: 5000 });
  database.prepare(`update runs set ${column} = ? where id = ?`).run(value, runId);
}

/** Whatever else somebody with access to the file could do. */
export function alterLedger(home: string, sql: string): void {
  using database = new DatabaseSync(join(home, "ledger.db"), { timeout: 5000 });
  database.exec(sql);
}

/** Changes the last byte of a stored content. */
export function alterContent(home: string, sha256: unknown): void {
  const file = fileOf(home, String(sha256));
  const bytes = readFileSync(file);
  bytes.writeUInt8((bytes.at(-1) ?? 0) ^ 1, bytes.length - 1);
  // The file itself can't be written.
  rmSync(file, { force: true });
  writeFileSync(file, bytes);
}

/** The file of the home's store that holds this content. */
export function fileOf(home: string, sha256: string): string {
  const root = join(home, "artifacts");
  const found = readdirSync(root, { recursive: true, withFileTypes: true }).find(
    (entry) => entry.isFile() && `${entry.parentPath}/${entry.name}`.replaceAll("/", "").includes(sha256),
  );
  if (!found) throw new Error(`no file for ${sha256}`);
  return join(found.parentPath, found.name);
}
