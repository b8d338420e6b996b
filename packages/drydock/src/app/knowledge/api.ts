import type {
  IngestReport,
  KnowledgeBase,
  KnowledgeBaseDetail,
  KnowledgeFilters,
  KnowledgeResult,
} from "@drydock/protocol";
import { loadLater } from "../../base/lazy/index.ts";
import type { Spending } from "../models/index.ts";
import type { KnowledgePorts } from "./create-knowledge.ts";

export interface IngestOptions {
  signal?: AbortSignal;
  /** Called with each file before it is read. */
  onProgress?(progress: { source: string; done: number }): void;
}

export interface SearchOptions {
  /** How many passages at most. Default 5. */
  limit?: number;
  filters?: KnowledgeFilters;
  signal?: AbortSignal;
}

/** Sets of documents that can be searched, with and without a model. */
export interface Knowledge {
  /** Reads files and folders into a base, which is made where there is none. What has not changed is not read again. */
  add(name: string, paths: readonly string[], options?: IngestOptions): Promise<IngestReport>;
  /** Reads all files and folders of a base again that have changed. */
  refresh(name: string, options?: IngestOptions): Promise<IngestReport>;
  list(): Promise<KnowledgeBase[]>;
  /** Bases by name or id. Those that are not there are left out. */
  find(names: readonly string[]): Promise<KnowledgeBase[]>;
  /** A base with its files and folders, and its first documents. */
  show(name: string, options?: { limit?: number }): Promise<KnowledgeBaseDetail>;
  /** Passages that answer a question, the best first. */
  search(name: string, query: string, options?: SearchOptions): Promise<KnowledgeResult>;
  /** The text of a document, as its passages have it; null where there is none of this name. */
  read(name: string, source: string): Promise<string | null>;
  /** Removes a base, or one of its files and folders. The files themselves stay. */
  remove(name: string, options?: { path?: string }): Promise<KnowledgeBase>;
}

/** @internal */
export interface LiveKnowledge extends Knowledge {
  /** A search of a run that asks other models as well: what it uses counts there. */
  searchFor(spending: Spending, ...search: Parameters<Knowledge["search"]>): Promise<KnowledgeResult>;
}

/** @internal Its code is loaded with the first call. */
export function openKnowledge(ports: KnowledgePorts): LiveKnowledge {
  const later = loadLater(async () => (await import("./create-knowledge.ts")).createKnowledge(ports));
  return {
    add: later((knowledge) => knowledge.add),
    refresh: later((knowledge) => knowledge.refresh),
    list: later((knowledge) => knowledge.list),
    find: later((knowledge) => knowledge.find),
    show: later((knowledge) => knowledge.show),
    search: later((knowledge) => knowledge.search),
    searchFor: later((knowledge) => knowledge.searchFor),
    read: later((knowledge) => knowledge.read),
    remove: later((knowledge) => knowledge.remove),
  };
}
