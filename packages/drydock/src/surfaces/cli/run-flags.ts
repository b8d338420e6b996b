import { DrydockError, type PolicyDocument } from "@drydock/protocol";
import { type Command, InvalidArgumentError, Option } from "commander";

/** The options that whatever executes code has in common. */
export interface RunFlags {
  timeout?: number;
  memory?: number;
  net?: string[];
  policy?: string;
  unsafe?: boolean;
  debug?: boolean;
  json?: boolean;
}

export function addRunFlags(command: Command): Command {
  return command
    .option("--timeout <seconds>", "stop after so many seconds", parsePositive)
    .option("--memory <mb>", "stop at so many megabytes of memory", parsePositive)
    .option("--net <hosts>", "reach these: HOST:PORT, several with commas", collectHosts)
    .option("--policy <file>", "ask for the policy in this file, within what the owner's allows")
    .option("--unsafe", "lift the Python guard (import and call lists), never the sandbox")
    .option("--debug", "say where the run went, what it used, and how Drydock itself failed")
    .addOption(jsonOption());
}

export function jsonOption(): Option {
  return new Option("--json", "print one JSON value, for programs");
}

export function parsePositive(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value) && value > 0) return value;
  throw new InvalidArgumentError("It must be a number above 0.");
}

export function parseCount(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number.");
}

function collectHosts(text: string, before: string[] = []): string[] {
  return [...before, ...text.split(",").map((host) => host.trim())].filter((host) => host !== "");
}

/** What the flags ask for, as a policy: the file's, with the single options above it. */
export async function readRunPolicy({ timeout, memory, net, policy }: RunFlags): Promise<PolicyDocument | undefined> {
  const document = policy === undefined ? {} : await loadPolicy(policy);
  const limits = {
    ...document.limits,
    ...(timeout === undefined ? {} : { wallSeconds: timeout }),
    ...(memory === undefined ? {} : { memoryMb: memory }),
  };
  const asked: PolicyDocument = {
    ...document,
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
    ...(net === undefined ? {} : { network: { allow: net } }),
  };
  return Object.keys(asked).length === 0 ? undefined : asked;
}

async function loadPolicy(file: string): Promise<PolicyDocument> {
  const { loadPolicyFile } = await import("../../policy/index.ts");
  const source = await loadPolicyFile(file);
  if (source) return source.document;
  throw new DrydockError("input.invalid", `There is no policy file ${file}.`, "Check the path given to --policy.", {
    file,
  });
}
