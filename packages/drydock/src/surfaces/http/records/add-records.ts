import { extname } from "node:path";
import type { EventGroup } from "@drydock/protocol";
import { OPERATIONS } from "@drydock/protocol/http";
import type { AddRoute } from "../route/add-route.ts";
import type { ServerContext } from "../server-context.ts";

const MEDIA: Readonly<Record<string, string>> = {
  ".json": "application/json",
  ".jsonl": "application/x-ndjson",
  ".md": "text/markdown; charset=utf-8",
  ".diff": "text/x-diff; charset=utf-8",
};
/** What a model has written may stand in it: a browser does not show it as a page of this server. */
const FILE_HEADERS = {
  "content-security-policy": "sandbox; default-src 'none'",
  "x-content-type-options": "nosniff",
};

export function addRecords(add: AddRoute, { dock }: ServerContext): void {
  const { runs, audit } = dock;
  add("listRecords", OPERATIONS.listRecords, async ({ params }) => ({
    records: (await runs.records(params.id)).map((path) => ({ path, media: mediaOf(path) })),
  }));
  add("getRecord", OPERATIONS.getRecord, async ({ params, query }) => {
    const content = Buffer.from(await runs.readRecord(params.id, query.path));
    return new Response(content, { headers: { ...FILE_HEADERS, "content-type": mediaOf(query.path) } });
  });
  add("verifyAudit", OPERATIONS.verifyAudit, ({ query }) => audit.verify(query));
  add("anchorAudit", OPERATIONS.anchorAudit, async () => {
    const { head, envelope } = await audit.anchor();
    return { position: head.position, hash: head.hash, at: head.at, keyId: head.key.id, anchor: envelope };
  });
  add("searchAudit", OPERATIONS.searchAudit, ({ query: { groups, ...query } }) =>
    audit.search({ ...query, groups: groups?.split(",") as EventGroup[] | undefined }),
  );
  add("exportAudit", OPERATIONS.exportAudit, () => {
    const lines = ReadableStream.from(audit.export()) as ReadableStream<string>;
    const headers = { "content-type": OPERATIONS.exportAudit.media };
    return new Response(lines.pipeThrough(new TextEncoderStream()), { headers });
  });
}

function mediaOf(path: string): string {
  return MEDIA[extname(path)] ?? "application/octet-stream";
}
