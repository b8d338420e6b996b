import { ApiError, RUNNER_LIMITS as LIMITS } from "@drydock/protocol/runner";
import type { ApiContext, Handlers } from "./create-api.ts";
import { explainGone } from "./explain-gone.ts";

/** Names a document of a knowledge base for `get_file`. */
export function documentKey(base: string, source: string): string {
  return `${base}/${source}`;
}

/** Files that the settings of the agent name, and documents of the knowledge bases that the run may search. */
export function fileHandlers({ snapshot, facts, knowledge }: ApiContext): Handlers {
  const { files, knowledge_bases } = snapshot.resources;
  const bases = snapshot.readsDocuments
    ? knowledge_bases.filter(({ operations }) => operations.includes("retrieve"))
    : [];
  if (files.length === 0 && bases.length === 0) return {};

  const readDocument = async (base: string, source: string) => {
    const text = await knowledge.read(base, source).catch(explainGone);
    if (text === null) throw new ApiError("not_found", `The knowledge base has no document ${source}.`);
    const content = Buffer.from(text);
    if (content.length > LIMITS.storageValueBytes)
      throw new ApiError("payload_too_large", `The text of ${source} has more than ${LIMITS.storageValueBytes} bytes.`);
    return { content_base64: content.toString("base64"), name: source, mime_type: "text/plain" };
  };
  return {
    get_file: async ({ file_key }) => {
      const base = bases.find(({ kb_id }) => file_key.startsWith(documentKey(kb_id, "")));
      if (base) return readDocument(base.kb_id, file_key.slice(documentKey(base.kb_id, "").length));
      if (!files.some(({ file_id }) => file_id === file_key))
        throw new ApiError("unauthorized", `This run may not read the file ${file_key}.`);
      const found = await facts.files.get(file_key);
      if (!found) throw new ApiError("not_found", "The file is not there any more.");
      return { content_base64: found.content.toString("base64"), name: found.name, mime_type: found.mime };
    },
  };
}
