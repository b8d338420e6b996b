import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ErrorInfo, PolicyDocument } from "@drydock/protocol";
import type { ProgramRequest } from "../../host/index.ts";
import { execute } from "../execute/index.ts";
import type { ExecPorts } from "../runs/exec-ports.ts";

const INSIDE = "/extension";

/** Starts the process of a plugin in the sandbox. It gets the hosts and variables that it asks for, as far as the owner's policy goes. */
export async function runPluginProgram(
  ports: ExecPorts,
  { command, directory, sandbox, ...rest }: ProgramRequest,
): Promise<ErrorInfo | null> {
  const { ceiling } = await ports.policies.resolve({ workspace: null });
  const { wallSeconds, cpuSeconds, outputMb } = ceiling.limits;
  const policy: PolicyDocument = {
    limits: { wallSeconds, cpuSeconds, outputMb },
    ...(sandbox.hosts.length > 0 && { network: { allow: sandbox.hosts } }),
    ...(sandbox.environment.length > 0 && { environment: { allow: sandbox.environment } }),
  };
  const inside = command.map((word, index) => (index > 0 && isFileOf(directory, word) ? `${INSIDE}/${word}` : word));
  const { error } = await execute(
    ports,
    { command: inside, policy, ...rest },
    { mounts: [{ source: directory, target: INSIDE }], isService: true },
  );
  return error;
}

/** Words that name files of the plugin are found in its directory, wherever the program starts. */
function isFileOf(directory: string, word: string): boolean {
  return !word.startsWith("-") && !word.startsWith("/") && existsSync(join(directory, word));
}
