import { DrydockError } from "@drydock/protocol";
import { resolveWorkspace } from "../../sandbox/index.ts";
import { asDrydockError } from "../runs/refuse-run.ts";
import type { PythonTaskPorts } from "./create-python-tasks.ts";
import type { PlaceRequest } from "./stage.ts";

/** The directory that a request names, else the one that the owner has set up for tasks. */
export async function findWorkspace(
  ports: PythonTaskPorts,
  { workspace, policy }: Pick<PlaceRequest, "workspace" | "policy">,
): Promise<string | null> {
  if (workspace === null) return null;
  if (workspace !== undefined) return resolveWorkspace(workspace, ports.own);
  const { workspace: configured } = await ports.readDefaults();
  if (configured === null) return null;
  const { effective } = await ports.policies.resolve({ request: policy });
  // Nobody asked for this directory: a run that may see none goes on without it.
  if (!effective.files.access) return null;
  try {
    return resolveWorkspace(configured.path, ports.own);
  } catch (error) {
    const { code, message, data } = asDrydockError(error);
    const hint = "Make the directory, or change the setting.";
    throw new DrydockError(code, `${message} It is set by ${configured.source}.`, hint, data);
  }
}
