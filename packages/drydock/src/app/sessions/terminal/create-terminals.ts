import { DrydockError } from "@drydock/protocol";
import type { ExecPorts } from "../../runs/exec-ports.ts";
import type { Sessions } from "../api.ts";
import type { TerminalPlace } from "./open-terminal.ts";

const loadTerminal = () => import("./open-terminal.ts");

/** Terminals of live sessions: each has one at a time, since a terminal is a step. */
export function createTerminals(
  ports: Pick<ExecPorts, "policies">,
  find: (id: string) => Promise<TerminalPlace>,
): Sessions["openTerminal"] {
  const open = new Set<string>();
  return async (id, options) => {
    const place = await find(id);
    if (open.has(id)) {
      const hint = "Close it first: a terminal is a step, and steps come one after the other.";
      throw new DrydockError("limit.concurrency", `The session ${id} has a terminal already.`, hint);
    }
    open.add(id);
    try {
      const { openTerminal } = await loadTerminal();
      const onEnd = (status: number | null) => {
        open.delete(id);
        options.onEnd(status);
      };
      return await openTerminal(ports, place, { ...options, onEnd });
    } catch (error) {
      open.delete(id);
      throw error;
    }
  };
}
