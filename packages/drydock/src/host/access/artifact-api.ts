import { ApiError, RUNNER_LIMITS as LIMITS } from "@drydock/protocol/runner";
import type { ArtifactContent } from "../ports.ts";
import type { ApiContext, Handlers } from "./create-api.ts";

/** Artifacts of this very run. Where they lie is not told. */
export function artifactHandlers({ snapshot, record }: ApiContext): Handlers {
  const { artifact_metadata, artifact_read } = snapshot.apis;
  const find = async (id: string, range?: { start: number; end: number }): Promise<ArtifactContent> => {
    const found = await record.readArtifact(id, range);
    if (!found) throw new ApiError("not_found", "There is no such artifact, or it is not this run's.");
    return found;
  };
  const read = async (id: string, offset: number, length: number) => {
    const { content, mime, size } = await find(id, { start: offset, end: offset + length });
    return {
      ...{ artifact_id: id, mime_type: mime, size_bytes: size, offset, length: content.length },
      ...{ content_base64: content.toString("base64"), file_key: null, has_more: offset + content.length < size },
    };
  };
  return {
    ...(artifact_metadata && {
      artifact_metadata: async ({ artifact_id }) => {
        const { name, mime, sha256, size } = await find(artifact_id);
        return {
          ...{ artifact_id, artifact_type: "file", mime_type: mime, name, size_bytes: size, sha256 },
          ...{ source: "runner", conversation_id: snapshot.conversationId, run_id: record.id },
          ...{ runner_id: snapshot.runnerId, created_at: null, expires_at: null, metadata: {} },
        };
      },
    }),
    ...(artifact_read && {
      artifact_read: ({ artifact_id, offset, limit }) => read(artifact_id, offset, limit ?? LIMITS.artifactReadBytes),
      artifact_read_range: ({ artifact_id, offset, length }) => read(artifact_id, offset, length),
    }),
  };
}
