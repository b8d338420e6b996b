import { hash } from "node:crypto";
import type { ResponseInfo } from "@drydock/protocol";
import type { Artifacts } from "../content/artifacts.ts";
import type { ContentStore } from "../content/content-store.ts";
import { defineQuery } from "../database/define-query.ts";
import type { ResponsesTable } from "../database/schema.ts";
import type { LedgerContext } from "../ledger-context.ts";
import type { EndOptions } from "../runs/finish-run.ts";
import type { NewEvent } from "../runs/write-events.ts";
import { fitContent } from "./fit-content.ts";
import { removeExpired } from "./remove-responses.ts";
import { rowFromResponse } from "./response-row.ts";

export interface NewResponse {
  runId: string;
  session: string;
  extension: string;
  command: string;
  action: string;
  content: Uint8Array;
  mime: string;
  metadata?: Record<string, unknown>;
  /** Of the artifact that holds the whole content, where one is needed. */
  name?: string;
  /** Default: 24 hours. */
  keepMs?: number;
}

/** A response that is not visible yet: it is written with its run's end, and `event` goes before that. */
export interface StagedResponse extends EndOptions {
  info: ResponseInfo;
  text: string;
  event: NewEvent;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** Each that is written takes a few away whose time is over, so that none has to come for them. */
const EXPIRED_AT_ONCE = 16;

const insertResponse = defineQuery<ResponsesTable>((db, p) =>
  db
    .insertInto("responses")
    .values({
      id: p("id"),
      session: p("session"),
      run_id: p("run_id"),
      extension: p("extension"),
      command: p("command"),
      action: p("action"),
      mime: p("mime"),
      size: p("size"),
      kept: p("kept"),
      truncated: p("truncated"),
      artifact: p("artifact"),
      metadata: p("metadata"),
      created_at: p("created_at"),
      expires_at: p("expires_at"),
      content: p("content"),
    })
    // Ending a run again in the same way changes nothing.
    .onConflict((conflict) => conflict.doNothing()),
);

export async function stageResponse(
  context: LedgerContext,
  stores: { artifacts: Artifacts; content: ContentStore },
  response: NewResponse,
): Promise<StagedResponse> {
  const { runId } = response;
  const mime = context.redactor.text(response.mime);
  const now = context.now();
  const expiresAt = new Date(now.getTime() + (response.keepMs ?? DAY_MS));
  const fitted = fitContent(context.redactor, response.content, mime);
  const name = response.name ?? (fitted.isText ? "response.txt" : "response.bin");
  const artifact = fitted.whole && (await stores.artifacts.put(fitted.whole, { runId, name, mime, expiresAt }));
  const info: ResponseInfo = {
    id: context.newId("res"),
    session: response.session,
    runId,
    extension: response.extension,
    command: response.command,
    action: response.action,
    mime,
    size: artifact?.size ?? fitted.size,
    kept: fitted.kept,
    truncated: fitted.truncated,
    artifact,
    metadata: context.redactor.value(response.metadata ?? {}) as Record<string, unknown>,
    createdAt: now.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
  return {
    info,
    text: fitted.text,
    event: {
      type: "response.stored",
      data: {
        responseId: info.id,
        mime,
        size: info.size,
        kept: info.kept,
        truncated: info.truncated,
        // What was answered can be shown to be this, or not, for as long as somebody has it.
        sha256: artifact?.sha256 ?? hash("sha256", fitted.text, "hex"),
        artifactId: artifact?.id ?? null,
        expiresAt: info.expiresAt,
      },
    },
    async write(trx) {
      await insertResponse(trx, rowFromResponse(info, fitted.text));
      await removeExpired(trx, stores.content, now, EXPIRED_AT_ONCE);
    },
  };
}
