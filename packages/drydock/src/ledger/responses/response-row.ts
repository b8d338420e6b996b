import type { ArtifactRef, ResponseInfo } from "@drydock/protocol";
import type { ResponsesTable } from "../database/schema.ts";

type InfoRow = Omit<ResponsesTable, "content">;

/** All but the content, which may be long. */
export const INFO_COLUMNS = [
  "id",
  "session",
  "run_id",
  "extension",
  "command",
  "action",
  "mime",
  "size",
  "kept",
  "truncated",
  "artifact",
  "metadata",
  "created_at",
  "expires_at",
] as const satisfies readonly (keyof InfoRow)[];

export function responseFromRow(row: InfoRow): ResponseInfo {
  return {
    id: row.id,
    session: row.session,
    runId: row.run_id,
    extension: row.extension,
    command: row.command,
    action: row.action,
    mime: row.mime,
    size: row.size,
    kept: row.kept,
    truncated: row.truncated === 1,
    artifact: row.artifact === null ? null : (JSON.parse(row.artifact) as ArtifactRef),
    metadata: JSON.parse(row.metadata) as Record<string, unknown>,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}

export function rowFromResponse(info: ResponseInfo, text: string): ResponsesTable {
  return {
    id: info.id,
    session: info.session,
    run_id: info.runId,
    extension: info.extension,
    command: info.command,
    action: info.action,
    mime: info.mime,
    size: info.size,
    kept: info.kept,
    truncated: info.truncated ? 1 : 0,
    artifact: info.artifact && JSON.stringify(info.artifact),
    metadata: JSON.stringify(info.metadata),
    created_at: info.createdAt,
    expires_at: info.expiresAt,
    content: text,
  };
}
