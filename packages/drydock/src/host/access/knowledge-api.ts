import { KNOWLEDGE_LIMITS, KnowledgeFilters } from "@drydock/protocol";
import { ApiError } from "@drydock/protocol/runner";
import type { ApiContext, Handlers } from "./create-api.ts";
import { explainGone } from "./explain-gone.ts";
import { documentKey } from "./file-api.ts";

/** Searches of the knowledge bases that the snapshot lists, and of no other: whether another one is there is not told. */
export function knowledgeHandlers({ snapshot, knowledge, record, signal }: ApiContext): Handlers {
  const bases = snapshot.resources.knowledge_bases;
  const may = (operation: string) => bases.filter(({ operations }) => operations.includes(operation));
  const refused = (id: string) => new ApiError("unauthorized", `This run may not search the knowledge base ${id}.`);
  return {
    ...(may("list").length > 0 && {
      list_knowledge_bases: async () => {
        const found = await knowledge.find(may("list").map(({ kb_id }) => kb_id));
        const knowledge_bases = found.map(({ id, name, documents }) => ({ kb_id: id, kb_name: name, documents }));
        return { knowledge_bases };
      },
    }),
    ...(may("retrieve").length > 0 && {
      retrieve_knowledge: async ({ kb_id, query_text, top_k, filters }) => {
        const base = may("retrieve").find((each) => each.kb_id === kb_id || each.kb_name === kb_id);
        if (!base) throw refused(kb_id);
        const query = readQuery(query_text);
        const options = { limit: top_k, filters: readFilters(filters), signal };
        const { hits } = await knowledge.search(record, base.kb_id, query, options).catch(explainGone);
        const items = hits.map(({ text, score, source, position: { start, ...place } }) => {
          const metadata = { ...place, ...(snapshot.readsDocuments && { file_key: documentKey(base.kb_id, source) }) };
          return { text, score, source, position: start, metadata };
        });
        return { items };
      },
    }),
  };
}

function readQuery(text: string): string {
  if (text.trim() === "") throw new ApiError("invalid_argument", "query_text is empty.");
  // Questions of users may be long: what they are about stands in the beginning as well as anywhere.
  return text.slice(0, KNOWLEDGE_LIMITS.queryChars);
}

function readFilters(filters: Record<string, unknown> | null | undefined): KnowledgeFilters | undefined {
  if (!filters) return undefined;
  const read = KnowledgeFilters.safeParse(filters);
  if (read.success) return read.data;
  const where = ["filters", ...(read.error.issues[0]?.path ?? [])].join(".");
  const message = `${where}: ${read.error.issues[0]?.message}. There are source and format.`;
  throw new ApiError("invalid_argument", message, { details: { field: where } });
}
