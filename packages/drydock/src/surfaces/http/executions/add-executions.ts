import { OPERATIONS } from "@drydock/protocol/http";
import type { AddRoute } from "../route/add-route.ts";
import type { ServerContext } from "../server-context.ts";
import { readSessionId } from "../sessions/read-session-id.ts";

export function addExecutions(add: AddRoute, { dock }: ServerContext): void {
  add("execute", OPERATIONS.execute, ({ body, signal, emit }) =>
    dock.exec({
      ...{ ...readSessionId(body), signal },
      onOutput: emit && ((chunk) => emit("output", chunk)),
      onReading: emit && ((progress) => emit("reading", progress)),
    }),
  );
  add("verify", OPERATIONS.verify, ({ body, signal, emit }) =>
    dock.verify({ ...body, signal, onCheck: emit && ((result) => emit("check", result)) }),
  );
}
