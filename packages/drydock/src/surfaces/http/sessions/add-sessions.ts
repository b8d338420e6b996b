import { OPERATIONS } from "@drydock/protocol/http";
import type { OutputChunk } from "../../../app/index.ts";
import { openInput, readLine } from "../inputs.ts";
import type { AddRoute } from "../route/add-route.ts";
import type { ServerContext } from "../server-context.ts";

export function addSessions(add: AddRoute, { dock, inputs }: ServerContext): void {
  const { sessions } = dock;
  add("openSession", OPERATIONS.openSession, async ({ body, signal }) =>
    (await sessions.open({ ...body, signal })).stats(),
  );
  add("listSessions", OPERATIONS.listSessions, () => ({ sessions: sessions.list() }));
  add("getSessionTotals", OPERATIONS.getSessionTotals, () => sessions.totals());
  add("getSession", OPERATIONS.getSession, async ({ params }) => (await sessions.find(params.id)).stats());
  add("execInSession", OPERATIONS.execInSession, async ({ params: { id }, body, signal, emit }) => {
    const { code, interactive, ...options } = body;
    const session = await sessions.find(id);
    using input = openInput(inputs, interactive, emit);
    input?.name(id);
    const onOutput = emit && ((chunk: OutputChunk) => emit("output", chunk));
    return await session.exec(code, { ...options, signal, onOutput, onInput: input?.onInput });
  });
  add("giveSessionInput", OPERATIONS.giveSessionInput, async ({ params: { id }, body }) => {
    await sessions.find(id);
    inputs.give(id, readLine(body));
    return { sessionId: id, accepted: true } as const;
  });
  add("rollbackSession", OPERATIONS.rollbackSession, async ({ params, body, signal }) =>
    (await sessions.find(params.id)).rollback(body.to, { signal }),
  );
  add("forkSession", OPERATIONS.forkSession, async ({ params, body, signal }) => ({
    sessions: (await (await sessions.find(params.id)).fork(body.count, { signal })).map((fork) => fork.stats()),
  }));
  add("closeSession", OPERATIONS.closeSession, async ({ params: { id } }) => {
    await (await sessions.find(id)).close();
    return { sessionId: id, closed: true } as const;
  });
}
