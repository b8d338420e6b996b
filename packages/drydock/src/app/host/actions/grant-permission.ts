import type { ActionExecutor } from "../api.ts";

export const GRANT_PERMISSION = "agent.permission";

/** What an agent in the sandbox asks permission for. To approve it is all there is to do: the agent itself does the rest. */
export const grantPermission: ActionExecutor = {
  description: "Lets an agent in the sandbox do one thing that it asks permission for.",
  risk: "high",
  run: async () => "The permission is granted.",
};
