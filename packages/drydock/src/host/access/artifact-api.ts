import { ApiError, RUNNER_LIMITS as LIMITS } from "@drydock/protocol/runner";
import type { ArtifactContent } from "../ports.ts";
import type { ApiContext, Handlers } from "./create-api.ts";

/** Artifacts of this very run. Where they lie is not told. */
export function artifactHandlers({ snapshot, record }: ApiContext): Handlers {
  const { artifact_metadata, artifact_read } = snapshot.apis;
  const find = async (id: string) => {
    const found = await record.readArtifact(id);
    if (!found) throw new ApiError("not_found", "There is no such artifact, or it is not this run's.");
    return found;
  };
  const read = async (id: string, offset: number, length: number) => {
    const { content, mime }: ArtifactContent = await find(id);
    const part = content.subarray(offset, offset + length);
    return {
      ...{ artifact_id: id, mime_type: mime, size_bytes: content.length, offset, length: part.length },
      ...{ content_base64: part.toString("base64"), file_key: null, has_more: offset + part.length < content.length },
    };
  };
  return {
    ...(artifact_metadata && {
      artifact_metadata: async ({ artifact_id }) => {
        const { name, mime, sha256, content } = await find(artifact_id);
        return {
          ...{ artifact_id, artifact_type: "file", mime_type: mime, name, size_bytes: content.length, sha256 },
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
