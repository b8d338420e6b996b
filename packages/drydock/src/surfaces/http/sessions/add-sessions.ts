import { OPERATIONS } from "@drydock/protocol/http";
import type { AddRoute } from "../route/add-route.ts";
import type { ServerContext } from "../server-context.ts";

export function addSessions(add: AddRoute, { dock }: ServerContext): void {
  const { sessions } = dock;
  add("openSession", OPERATIONS.openSession, async ({ body, signal }) =>
    (await sessions.open({ ...body, signal })).stats(),
  );
  add("listSessions", OPERATIONS.listSessions, () => ({ sessions: sessions.list() }));
  add("getSession", OPERATIONS.getSession, ({ params }) => sessions.get(params.id).stats());
  add("execInSession", OPERATIONS.execInSession, ({ params, body: { code, ...options }, signal, emit }) =>
    sessions.get(params.id).exec(code, { ...options, signal, onOutput: emit && ((chunk) => emit("output", chunk)) }),
  );
  add("rollbackSession", OPERATIONS.rollbackSession, ({ params, body }) => sessions.get(params.id).rollback(body.to));
  add("forkSession", OPERATIONS.forkSession, async ({ params, body }) => ({
    sessions: (await sessions.get(params.id).fork(body.count)).map((fork) => fork.stats()),
  }));
  add("closeSession", OPERATIONS.closeSession, async ({ params: { id } }) => {
    await sessions.get(id).close();
    return { sessionId: id, closed: true } as const;
  });
}
