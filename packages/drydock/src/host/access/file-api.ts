import { ApiError } from "@drydock/protocol/runner";
import type { ApiContext, Handlers } from "./create-api.ts";

/** Files that the settings of the agent name. */
export function fileHandlers({ snapshot, facts }: ApiContext): Handlers {
  const { files } = snapshot.resources;
  if (files.length === 0) return {};
  return {
    get_file: async ({ file_key }) => {
      if (!files.some(({ file_id }) => file_id === file_key))
        throw new ApiError("unauthorized", `The settings of this run name no file ${file_key}.`);
      const found = await facts.files.get(file_key);
      if (!found) throw new ApiError("not_found", "The file is not there any more.");
      return { content_base64: found.content.toString("base64"), name: found.name, mime_type: found.mime };
    },
  };
}
