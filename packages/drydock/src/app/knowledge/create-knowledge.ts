import { realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { DrydockError, KNOWLEDGE_LIMITS, KnowledgeFilters, KnowledgeName, type KnowledgeRoot } from "@drydock/protocol";
import { waitForFileLock } from "../../base/locks/index.ts";
import { isInside } from "../../base/paths/index.ts";
import { type KnowledgeStore, noKnowledgeBase, type StoredBase, type WordSearch } from "../../ledger/index.ts";
import { createPathRules } from "../../policy/index.ts";
import type { Spending } from "../models/index.ts";
import type { ExecPorts } from "../runs/exec-ports.ts";
import { type OptionNames, refuseUnknownOptions } from "../runs/refuse-unknown-options.ts";
import type { IngestOptions, LiveKnowledge, SearchOptions } from "./api.ts";
import { embedBase } from "./embed-base.ts";
import { createExtractor } from "./extract/extractor.ts";
import { ingestRoots, nameRoot } from "./ingest.ts";
import type { KnowledgeModels } from "./knowledge-models.ts";
import { withModelRun } from "./open-model-run.ts";
import { searchBase } from "./search/search-base.ts";

export interface KnowledgePorts extends Pick<ExecPorts, "ledger" | "sandbox" | "policies" | "own"> {
  home: string;
  /** Read with each use: the owner may change them. */
  models(): Promise<KnowledgeModels>;
}

const PATIENCE_MS = 10_000;
const SHOWN_DOCUMENTS = 100;
const MAX_SHOWN = 10_000;
const DEFAULT_RESULTS = 5;
const INGEST_OPTIONS = { signal: true, onProgress: true } as const satisfies OptionNames<IngestOptions>;
const SEARCH_OPTIONS = { limit: true, filters: true, signal: true } as const satisfies OptionNames<SearchOptions>;

export async function createKnowledge(ports: KnowledgePorts): Promise<LiveKnowledge> {
  const { ledger, home, own, policies } = ports;
  const store = await ledger.openKnowledge();

  async function ingest(base: StoredBase, roots: readonly KnowledgeRoot[], options: IngestOptions) {
    using _lock = await lockBase(home, base, options.signal);
    // It may have been removed while another process held the lock.
    await requireBase(store, base.id);
    const { effective } = await policies.resolve({ workspace: null });
    const { hidden } = createPathRules(effective);
    const extractor = createExtractor(ports, { title: `Read documents for ${base.name}`, signal: options.signal });
    try {
      const reading = { extractor, redact: ledger.redact, isHidden: (path: string) => hidden(path), own };
      const report = await ingestRoots({ store, ...reading }, base, roots, options);
      const models = await ports.models();
      const request = { knowledge: base.name, purpose: "ingest" };
      const about = { title: `Vectors for ${base.name}`, request, budget: models.budget };
      const warned = await withModelRun(ledger, about, (spending) =>
        embedBase(store, base.seq, meterBy(models, spending), options),
      );
      report.warnings.push(...warned);
      return report;
    } finally {
      await extractor.close();
    }
  }

  return {
    async add(name, paths, options = {}) {
      refuseUnknownOptions(INGEST_OPTIONS, options);
      checkName(name);
      if (paths.length === 0) throw invalid("There is no path.", "Name at least one file or folder.");
      const found = paths.map((path) => resolvePath(path, own));
      const base = await store.open(name);
      const roots: KnowledgeRoot[] = [];
      for (const path of found) roots.push(await store.addRoot(base.seq, path, nameRoot(path)));
      return ingest(base, roots, options);
    },
    async refresh(name, options = {}) {
      refuseUnknownOptions(INGEST_OPTIONS, options);
      const base = await requireBase(store, name);
      return ingest(base, await store.roots(base.seq), options);
    },
    list: async () => (await store.list()).map(describe),
    async find(names) {
      const found = await Promise.all([...new Set(names)].map((name) => store.find(name)));
      return found.flatMap((base) => (base ? [describe(base)] : []));
    },
    async show(name, { limit = SHOWN_DOCUMENTS } = {}) {
      const base = await requireBase(store, name);
      const items = await store.documents.list(base.seq, { limit: checkCount(limit, MAX_SHOWN) });
      return { ...describe(base), roots: await store.roots(base.seq), items };
    },
    async search(name, query, options = {}) {
      const { base, search } = await prepareSearch(store, name, query, options);
      const models = await ports.models();
      const { signal } = options;
      if (models.embedding === null && models.rerank === null) return searchBase(store, models, search, { signal });
      const request = { knowledge: base.name, purpose: "search" };
      const about = { title: `Search in ${base.name}`, request, budget: models.budget };
      return withModelRun(ledger, about, (spending) =>
        searchBase(store, meterBy(models, spending), search, { signal }),
      );
    },
    async searchFor(spending, name, query, options = {}) {
      const { search } = await prepareSearch(store, name, query, options);
      const { signal } = options;
      return searchBase(store, meterBy(await ports.models(), spending), search, { signal, isOfAgent: true });
    },
    read: async (name, source) => store.documents.text((await requireBase(store, name)).seq, source),
    async remove(name, { path } = {}) {
      const base = await requireBase(store, name);
      using _lock = await lockBase(home, base);
      if (path === undefined) return describe(await store.remove(base.id));
      await removeRoot(store, base, path);
      return describe(await requireBase(store, name));
    },
  };
}

/** What these models are asked is paid for, and on record, there. */
function meterBy(models: KnowledgeModels, { meter }: Spending): KnowledgeModels {
  return { ...models, options: { ...models.options, meter } };
}

async function prepareSearch(store: KnowledgeStore, name: string, query: string, options: SearchOptions) {
  refuseUnknownOptions(SEARCH_OPTIONS, options);
  const { limit = DEFAULT_RESULTS, filters } = options;
  const read = readSearch(query, filters);
  const base = await requireBase(store, name);
  return { base, search: { base: base.seq, limit: checkCount(limit, KNOWLEDGE_LIMITS.results), ...read } };
}

function readSearch(query: string, filters: unknown): Pick<WordSearch, "question" | "filters"> {
  const question = query.trim();
  if (question === "") throw invalid("The query is empty.", "Give words to search for.");
  if (question.length > KNOWLEDGE_LIMITS.queryChars)
    throw invalid(`The query has more than ${KNOWLEDGE_LIMITS.queryChars} characters.`, "Shorten it.");
  const read = KnowledgeFilters.safeParse(filters ?? {});
  if (read.success) return { question, filters: read.data };
  throw invalid(`The filters are not valid: ${read.error.issues[0]?.message}.`, "There are `source` and `format`.");
}

async function removeRoot(store: KnowledgeStore, base: StoredBase, path: string): Promise<void> {
  const roots = await store.roots(base.seq);
  const root = roots.find((each) => each.name === path || each.path === resolve(path));
  if (!root) {
    const names = roots.map((each) => each.path).join(", ");
    const hint = `--path takes a file or folder as it was added, not a document in it. Added were: ${names || "none"}.`;
    throw invalid(`${path} was not added to ${base.name} by itself.`, hint);
  }
  while (true) {
    const gone = await store.documents.names(base.seq, root.name, { after: "", limit: SHOWN_DOCUMENTS });
    if (gone.length === 0) break;
    await store.documents.remove(base.seq, gone);
  }
  await store.removeRoot(base.seq, root.name);
}

function describe({ seq: _seq, ...base }: StoredBase) {
  return base;
}

async function requireBase(store: KnowledgeStore, name: string): Promise<StoredBase> {
  const found = await store.find(name);
  if (found) return found;
  throw noKnowledgeBase(name);
}

/** Two processes that read the same folder at once would each remove what only the other has seen. */
function lockBase(home: string, base: StoredBase, signal?: AbortSignal): Promise<Disposable> {
  const refuse = () => {
    const message = `Another process is changing the knowledge base ${base.name}.`;
    return new DrydockError("limit.concurrency", message, "Try again when it has ended.", { knowledge: base.name });
  };
  return waitForFileLock(join(home, "knowledge", `${base.id}.lock`), { patienceMs: PATIENCE_MS, refuse, signal });
}

function resolvePath(path: string, own: readonly string[]): string {
  let found: string;
  try {
    found = realpathSync(resolve(path));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw invalid(`${path} can't be read: ${code}.`, "Check that it is there, and who may read it.");
  }
  if (own.some((each) => isInside(found, each)))
    throw invalid(`${path} is a directory of Drydock itself.`, "It holds what runs did. Choose another one.");
  return found;
}

function checkName(name: string): void {
  const read = KnowledgeName.safeParse(name);
  if (!read.success) throw invalid(`${name}: ${read.error.issues[0]?.message}.`, "Choose a name such as `handbook`.");
}

function checkCount(count: number, most: number): number {
  if (Number.isInteger(count) && count >= 1 && count <= most) return count;
  throw invalid(`The limit has to be a whole number from 1 to ${most}.`, "Leave it out for the usual one.");
}

function invalid(message: string, hint: string): DrydockError {
  return new DrydockError("input.invalid", message, hint);
}
