import { DrydockError, type ExecResult } from "@drydock/protocol";
import type { Environments, PackageEnvironment } from "../packages/index.ts";
import type { ExecPorts } from "../runs/exec-ports.ts";
import { asDrydockError } from "../runs/refuse-run.ts";
import type { ExecOptions } from "./api.ts";
import { type ExecExtras, execute } from "./execute.ts";

/** An execution that finds Python packages of its own. Where they can't be had, it is put on record with the reason. */
export async function execWithPackages(
  ports: ExecPorts,
  environments: () => Promise<Environments>,
  options: ExecOptions,
  extras: Pick<ExecExtras, "replayOf" | "claimed"> = {},
): Promise<ExecResult> {
  const { describePackages, readRequirements } = await import("../packages/index.ts");
  const { language = "python", workspace, policy, install, signal, parentRunId } = options;
  if (language === "node" && options.command === undefined) {
    const hint = "Leave `requirements` out.";
    throw new DrydockError("input.invalid", "Requirements are Python packages, and the code is Node's.", hint);
  }
  const requirements = await readRequirements(options.requirements ?? []);
  const request = { ...options, requirements };
  let found: PackageEnvironment;
  try {
    const environmentRequest = { requirements, install, policy, workspace: workspace ?? null, signal, parentRunId };
    found = await (await environments()).open(environmentRequest);
  } catch (error) {
    return execute(ports, request, { ...extras, refusal: asDrydockError(error) });
  }
  const { mounts, environment, packages } = found;
  const result = await execute(ports, request, { ...extras, mounts, environment });
  return { ...result, notes: [...result.notes, `packages: ${describePackages(packages)}`] };
}
