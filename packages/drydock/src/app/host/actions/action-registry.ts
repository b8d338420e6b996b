import { DrydockError } from "@drydock/protocol";
import type { ActionExecutor, ActionInfo, DeliverMessage } from "../api.ts";
import { GRANT_PERMISSION, grantPermission } from "./grant-permission.ts";
import { SEND_MESSAGE, sendMessage } from "./send-message.ts";

/** Two words or more, joined by dots. */
const ACTION_NAME = /^[a-z][a-z0-9_-]*(\.[a-z][a-z0-9_-]*)+$/;
const SURFACE_NAME = /^[a-z][a-z0-9_.-]{0,63}$/;

/** What can be done because a runner asks for it, and where messages can be delivered. It lives as long as its dock. */
export interface ActionRegistry {
  register(name: string, executor: ActionExecutor): void;
  registerSurface(name: string, deliver: DeliverMessage): void;
  find(name: string): ActionExecutor | null;
  findSurface(name: string): DeliverMessage | null;
  list(): ActionInfo[];
}

export function createActionRegistry(): ActionRegistry {
  const surfaces = new Map<string, DeliverMessage>();
  const executors = new Map<string, ActionExecutor>([
    [SEND_MESSAGE, sendMessage],
    [GRANT_PERMISSION, grantPermission],
  ]);
  const own = [...executors.keys()];
  return {
    register(name, executor) {
      if (!ACTION_NAME.test(name) || own.includes(name) || typeof executor?.run !== "function")
        throw refuse(
          "action",
          name,
          "An executor has a function `run`, and its name two words or more, like ticket.close.",
        );
      executors.set(name, executor);
    },
    registerSurface(name, deliver) {
      if (!SURFACE_NAME.test(name) || typeof deliver !== "function")
        throw refuse("surface", name, "A surface has a name in small letters, such as telegram, and a function.");
      surfaces.set(name, deliver);
    },
    find: (name) => executors.get(name) ?? null,
    findSurface: (name) => surfaces.get(name) ?? null,
    list: () => [...executors].map(([name, { description = "", risk = "high" }]) => ({ name, description, risk })),
  };
}

function refuse(what: string, name: unknown, hint: string): DrydockError {
  const shown = JSON.stringify(String(name).slice(0, 80));
  return new DrydockError("input.invalid", `${shown} can't be registered as an ${what}.`, hint);
}
