import { OPERATIONS } from "@drydock/protocol/http";
import { digestToken } from "../../../app/index.ts";
import type { AddRoute } from "../route/add-route.ts";
import type { ServerContext } from "../server-context.ts";
import { readSessionId } from "../sessions/read-session-id.ts";

/** A word for each token, which says nothing about the token. Without tokens all requests are the owner's. */
function nameCaller(headers: Headers): string {
  return digestToken(headers.get("authorization") ?? "").toString("hex");
}

export function addExecutions(add: AddRoute, { dock }: ServerContext): void {
  add("execute", OPERATIONS.execute, ({ body, headers, signal, emit }) =>
    dock.exec({
      ...{ ...readSessionId(body), signal, caller: nameCaller(headers) },
      onOutput: emit && ((chunk) => emit("output", chunk)),
      onReading: emit && ((progress) => emit("reading", progress)),
    }),
  );
  add("verify", OPERATIONS.verify, ({ body, signal, emit }) =>
    dock.verify({ ...body, signal, onCheck: emit && ((result) => emit("check", result)) }),
  );
}
