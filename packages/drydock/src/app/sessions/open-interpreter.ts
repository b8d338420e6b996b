import { pickEnvironment } from "../../policy/index.ts";
import type { SandboxSession } from "../../sandbox/index.ts";
import type { ExecPorts } from "../runs/exec-ports.ts";
import type { SessionOptions } from "./api.ts";
import type { SessionPlace } from "./session-parts.ts";

/** A new interpreter in the sandbox. */
export function openInterpreter(
  ports: ExecPorts,
  { language = "python", signal, onReading }: Pick<SessionOptions, "language" | "signal" | "onReading">,
  { policy, workspace, packages }: SessionPlace,
): Promise<SandboxSession> {
  const environment = { ...pickEnvironment(policy.environment.allow, ports.environment), ...packages?.environment };
  return ports.sandbox().openSession({
    ...{ language, policy, workspace, environment, mounts: packages?.mounts, project: true },
    ...{ signal, onReading },
  });
}
