import { pickEnvironment } from "../../policy/index.ts";
import type { Session, SessionOptions } from "./api.ts";
import { createSession } from "./create-session.ts";
import { newSessionId, type SessionHooks, type SessionPlace, type SessionPorts } from "./session-parts.ts";

/** Opens an interpreter in the sandbox, and a session around it. */
export async function startSession(
  ports: SessionPorts,
  options: SessionOptions,
  place: SessionPlace,
  hooks: SessionHooks,
): Promise<Session> {
  const { policy, workspace, packages } = place;
  const { language = "python", signal, onReading } = options;
  const environment = { ...pickEnvironment(policy.environment.allow, ports.environment), ...packages?.environment };
  const live = await ports.sandbox().openSession({
    ...{ language, policy, workspace, environment, mounts: packages?.mounts, project: true },
    ...{ signal, onReading },
  });
  const origin = { id: newSessionId(), live, steps: 0, looks: 0, forkedFrom: null };
  return createSession({ ports, options, place, hooks }, origin);
}
