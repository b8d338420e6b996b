import type { ExecPorts } from "../runs/exec-ports.ts";
import type { Session, SessionOptions } from "./api.ts";
import { createSession } from "./create-session.ts";
import { openInterpreter } from "./open-interpreter.ts";
import { newSessionId, type SessionHooks, type SessionPlace } from "./session-parts.ts";

/** Opens an interpreter in the sandbox, and a session around it. */
export async function startSession(
  ports: ExecPorts,
  options: SessionOptions,
  place: SessionPlace,
  hooks: SessionHooks,
): Promise<Session> {
  const live = await openInterpreter(ports, options, place);
  const { language = "python" } = options;
  const id = newSessionId();
  try {
    await ports.ledger.sessions.open({ id, language, idleSeconds: place.policy.sessions.idleSeconds });
  } catch (error) {
    live.close();
    throw error;
  }
  const origin = { id, live, steps: 0, looks: 0, forkedFrom: null, variables: new Map() };
  return createSession({ ports, options, place, hooks }, origin);
}
