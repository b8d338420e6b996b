import { DrydockError, type PolicyDocument } from "@drydock/protocol";

/** The options that whatever executes code has in common. */
export interface RunFlags {
  timeout?: number;
  memory?: number;
  net?: string[];
  policy?: string;
  unsafe?: boolean;
  debug?: boolean;
  /** Show what git ignores and what tools cache, too. */
  all?: boolean;
  json?: boolean;
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
  const hint = "Check the path given to --policy.";
  throw new DrydockError("input.invalid", `There is no policy file ${file}.`, hint, { file });
}

/** Undefined where the text is no number above 0. */
export function readPositive(text: string): number | undefined {
  const value = Number(text);
  return text.trim() !== "" && Number.isFinite(value) && value > 0 ? value : undefined;
}

export function readHosts(text: string): string[] {
  return text
    .split(",")
    .map((host) => host.trim())
    .filter((host) => host !== "");
}
