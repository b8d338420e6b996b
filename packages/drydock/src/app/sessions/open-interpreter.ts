import { pickEnvironment } from "../../policy/index.ts";
import type { SandboxSession } from "../../sandbox/index.ts";
import type { SessionOptions } from "./api.ts";
import type { SessionPlace, SessionPorts } from "./session-parts.ts";

/** A new interpreter in the sandbox. */
export function openInterpreter(
  ports: SessionPorts,
  { language = "python", signal, onReading }: Pick<SessionOptions, "language" | "signal" | "onReading">,
  { policy, workspace, mounts, environment: own }: SessionPlace,
): Promise<SandboxSession> {
  const environment = { ...pickEnvironment(policy.environment.allow, ports.environment), ...own };
  return ports
    .sandbox()
    .openSession({ language, policy, workspace, environment, mounts, project: true, signal, onReading });
}
