import { basename, join } from "node:path";
import { DrydockError, type ErrorInfo, type IngestReport, type KnowledgeRoot } from "@drydock/protocol";
import type { KnowledgeStore, KnownDocument, NewChunk, NewDocument, StoredBase } from "../../ledger/index.ts";
import { asDrydockError } from "../runs/refuse-run.ts";
import type { IngestOptions } from "./api.ts";
import { findFormat, guessFormat } from "./read/find-format.ts";
import { type ReadPorts, readDocument } from "./read/read-document.ts";
import { readDocumentFile } from "./read/read-file.ts";
import { isFolder, type WalkOptions, walkFolder } from "./read/walk-folder.ts";

export interface IngestPorts extends ReadPorts, WalkOptions {
  store: KnowledgeStore;
}

const MAX_FAILURES = 100;
const MAX_FILES = 100_000;
const PAGE = 500;

/** Errors of the machine, not of the file: what was read from it earlier stays. */
const NOT_OF_THE_FILE = /^(sandbox|ledger)\.|^internal$/;

/**
 * Brings the documents of roots up to date: what is new or has changed is read, what is gone is removed, all else is left
 * alone. Each document is put in place by itself: who ends the process half way leaves a base that can be searched.
 */
export async function ingestRoots(
  ports: IngestPorts,
  base: StoredBase,
  roots: readonly KnowledgeRoot[],
  options: IngestOptions,
): Promise<IngestReport> {
  const report: IngestReport = {
    ...{ name: base.name, added: 0, changed: 0, unchanged: 0, removed: 0, skipped: 0, failed: 0 },
    ...{ failures: [], warnings: [] },
  };
  let done = 0;
  for (const root of roots) {
    const seen = new Set<string>();
    let isWhole = true;
    for await (const file of listFiles(root, ports)) {
      if (options.signal?.aborted) throw cancelled();
      if (file.kind === "skipped") report.skipped++;
      else if (file.kind === "unreadable") {
        isWhole = false;
        note(report, file.source, unreadableFolder().toInfo());
      } else if (++done > MAX_FILES) throw tooManyFiles();
      else {
        options.onProgress?.({ source: file.source, done });
        seen.add(file.source);
        await ingestFile(ports, base, { root: root.name, ...file }, report);
      }
    }
    // Where a folder could not be read, nobody knows what is gone.
    if (isWhole) report.removed += await removeUnseen(ports.store, base.seq, root.name, seen);
  }
  return report;
}

type ListedFile =
  | { kind: "skipped" }
  | { kind: "unreadable"; source: string }
  | { kind: "document"; source: string; path: string };

async function* listFiles({ name, path }: KnowledgeRoot, options: WalkOptions): AsyncGenerator<ListedFile> {
  let folder: boolean;
  try {
    folder = isFolder(path);
  } catch (error) {
    // Gone: its documents go, too. Whatever else it is, they stay.
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") yield { kind: "unreadable", source: name };
    return;
  }
  if (!folder) return yield { kind: "document", source: name, path };
  for await (const file of walkFolder(path, options)) {
    if (file.kind === "document")
      yield { kind: "document", source: `${name}/${file.path}`, path: join(path, file.path) };
    else if (file.kind === "unreadable") yield { kind: "unreadable", source: `${name}/${file.path}` };
    else yield file;
  }
}

async function ingestFile(
  ports: IngestPorts,
  base: StoredBase,
  { source, path, root }: { source: string; path: string; root: string },
  report: IngestReport,
): Promise<void> {
  const { documents } = ports.store;
  const known = await documents.find(base.seq, source);
  const read = await readFileOf(ports, path, known);
  if (read.kind === "unchanged") {
    report.unchanged++;
    return;
  }
  const { facts } = read;
  const document = { base: base.seq, root, source, ...facts };
  // A store that can't be written ends the ingest: it takes no other document either.
  if (read.kind === "chunks") {
    await documents.put({ ...document, chunks: read.chunks, problem: null });
    if (known) report.changed++;
    else report.added++;
    return;
  }
  const { problem } = read;
  if (problem.code === "run.cancelled") throw cancelled();
  note(report, source, problem);
  const keepsOld = known && !known.hasProblem && NOT_OF_THE_FILE.test(problem.code);
  if (!keepsOld) await documents.put({ ...document, chunks: [], problem });
}

type Facts = Pick<NewDocument, "bytes" | "sha256" | "format">;
type ReadFile =
  | { kind: "unchanged" }
  | { kind: "chunks"; facts: Facts; chunks: NewChunk[] }
  | { kind: "problem"; facts: Facts; problem: ErrorInfo };

async function readFileOf(ports: IngestPorts, path: string, known: KnownDocument | null): Promise<ReadFile> {
  let facts: Facts = { bytes: 0, sha256: "", format: findFormat(path) ?? "text" };
  try {
    const { content, sha256 } = await readDocumentFile(path);
    facts = { bytes: content.length, sha256, format: findFormat(path) ?? guessFormat(content) };
    if (known?.sha256 === sha256 && !known.hasProblem) return { kind: "unchanged" };
    return { kind: "chunks", facts, chunks: await readDocument(ports, facts.format, content) };
  } catch (error) {
    return { kind: "problem", facts, problem: asDrydockError(error).toInfo() };
  }
}

function note(report: IngestReport, source: string, error: ErrorInfo): void {
  report.failed++;
  if (report.failures.length < MAX_FAILURES) report.failures.push({ source, error });
}

async function removeUnseen(
  { documents }: KnowledgeStore,
  base: number,
  root: string,
  seen: ReadonlySet<string>,
): Promise<number> {
  let removed = 0;
  let after = "";
  while (true) {
    const names = await documents.names(base, root, { after, limit: PAGE });
    const gone = names.filter((name) => !seen.has(name));
    if (gone.length > 0) await documents.remove(base, gone);
    removed += gone.length;
    after = names.at(-1) ?? after;
    if (names.length < PAGE) return removed;
  }
}

/** The name that documents of a path begin with. */
export function nameRoot(path: string): string {
  return basename(path) || "root";
}

function cancelled(): DrydockError {
  const message = "Reading the documents was cancelled.";
  return new DrydockError(
    "run.cancelled",
    message,
    "What was read until then can be searched. Start it again for the rest.",
  );
}

function unreadableFolder(): DrydockError {
  return new DrydockError("input.invalid", "The folder can't be read.", "Check who may read it.");
}

function tooManyFiles(): DrydockError {
  const message = `There are more than ${MAX_FILES} documents.`;
  return new DrydockError("input.invalid", message, "Add smaller folders, or divide them between knowledge bases.");
}
