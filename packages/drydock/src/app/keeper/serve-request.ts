import type { PolicyDocument } from "@drydock/protocol";
import type { AnswerInput, ScanProgress } from "../../sandbox/index.ts";
import type { Dock } from "../dock.ts";
import type { OutputChunk } from "../runs/api.ts";
import type { KeeperOp, KeeperRequest, KeeperResults } from "./messages.ts";

export interface RequestContext {
  dock: Dock;
  /** Aborted when the client cancels the request, or is gone. */
  signal: AbortSignal;
  onOutput(chunk: OutputChunk): void;
  onReading(progress: ScanProgress): void;
  onInput: AnswerInput;
}

type ServedRequest = Exclude<KeeperRequest, { op: "cancel" | "input" }>;

/** Does what one request asks of the dock. Whatever goes wrong is thrown. */
export async function serveRequest(
  request: ServedRequest,
  { dock, signal, onOutput, onReading, onInput }: RequestContext,
): Promise<KeeperResults[KeeperOp]> {
  switch (request.op) {
    case "open": {
      const { language, workspace, policy } = request.params;
      const sessionOptions = { language, workspace, policy: policy as PolicyDocument | undefined };
      return (await dock.sessions.open({ ...sessionOptions, signal, onReading })).stats();
    }
    case "list":
      return dock.sessions.list();
    case "totals":
      return dock.sessions.totals();
    case "stats":
      return (await dock.sessions.find(request.params.sessionId)).stats();
    case "exec": {
      const { sessionId, code, policy, asks, ...options } = request.params;
      const session = await dock.sessions.find(sessionId);
      const watching = { signal, onOutput, ...(asks && { onInput }) };
      return session.exec(code, { policy: policy as PolicyDocument | undefined, ...options, ...watching });
    }
    case "rollback":
      return (await dock.sessions.find(request.params.sessionId)).rollback(request.params.to, { signal });
    case "fork": {
      const { sessionId, count } = request.params;
      return (await (await dock.sessions.find(sessionId)).fork(count, { signal })).map((fork) => fork.stats());
    }
    case "close":
      await (await dock.sessions.find(request.params.sessionId)).close();
      return {};
    default:
      return request satisfies never;
  }
}
