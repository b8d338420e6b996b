import type { NewHostAgent } from "@drydock/protocol";
import type { RunnerManifest } from "@drydock/protocol/runner";
import { selectsModels } from "../../host/index.ts";
import type { Models } from "../models/api.ts";

/**
 * An agent whose runner asks for a model, and that was given none, gets those that a request without a model would ask. They
 * stand in its grants from then on, for everybody to see, and stay when the default changes.
 */
export async function grantDefaultModels(
  manifest: RunnerManifest,
  agent: NewHostAgent,
  models: Pick<Models, "list">,
): Promise<NewHostAgent> {
  if (agent.grants.models.length > 0 || selectsModels(manifest, agent) !== "nothing") return agent;
  return { ...agent, grants: { ...agent.grants, models: (await models.list()).models } };
}
