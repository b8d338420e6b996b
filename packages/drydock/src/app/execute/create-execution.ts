import type { Ledger } from "../../ledger/index.ts";
import type { Environments } from "../packages/index.ts";
import type { ExecPorts } from "../runs/exec-ports.ts";
import type { Track } from "../runs/track-calls.ts";
import { execInSession, type LiveSessions } from "../sessions/index.ts";
import type { Execution } from "./api.ts";
import { execute } from "./execute.ts";
import { invalidInputError } from "./read-request.ts";

export interface ExecutionPorts extends ExecPorts {
  ledger: Ledger;
  sessions: LiveSessions;
  environments(): Promise<Environments>;
}

/** One run in a sandbox of its own, or a step of a session. */
export function createExecution(ports: ExecutionPorts, track: Track): Execution {
  return {
    exec: async (request) => {
      if (typeof request !== "object" || request === null)
        throw invalidInputError("A request needs code, or a command.");
      return track(request.signal, async (signal) => {
        const options = { ...request, signal };
        if (request.session !== undefined) return execInSession(ports.ledger, ports.sessions, request.session, options);
        if (request.requirements === undefined) return execute(ports, options);
        const { execWithPackages } = await import("./exec-with-packages.ts");
        return execWithPackages(ports, ports.environments, options);
      });
    },
  };
}
