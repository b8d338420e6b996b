import { DrydockError, KERNEL_LIMITS, type PolicyDocument } from "@drydock/protocol";
import type { RunFlags } from "./flags/run-flags.ts";

/** What the flags ask for, as a policy: the file's, with the single options above it. */
export async function readRunPolicy({
  net,
  upstream,
  policy,
  ...flags
}: RunFlags): Promise<PolicyDocument | undefined> {
  const document = policy === undefined ? {} : await loadPolicy(policy);
  const limits = { ...document.limits, ...readLimits(flags) };
  const network = {
    ...document.network,
    ...(net === undefined ? {} : { allow: net }),
    ...(upstream === undefined ? {} : { upstreams: upstream }),
  };
  const requestedPolicy: PolicyDocument = {
    ...document,
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
    ...(Object.keys(network).length === 0 ? {} : { network }),
  };
  return Object.keys(requestedPolicy).length === 0 ? undefined : requestedPolicy;
}

/** The limits that have an option of their own. */
function readLimits(flags: Readonly<Record<string, unknown>>): PolicyDocument["limits"] {
  const rows = KERNEL_LIMITS.map(({ key, reached: { flag } }) => [key, flag === undefined ? undefined : flags[flag]]);
  return Object.fromEntries(rows.filter(([, value]) => value !== undefined));
}

async function loadPolicy(file: string): Promise<PolicyDocument> {
  const { loadPolicyFile } = await import("../../policy/index.ts");
  const source = await loadPolicyFile(file);
  if (source) return source.document;
  const hint = "Check the path given to --policy.";
  throw new DrydockError("input.invalid", `There is no policy file ${file}.`, hint, { file });
}
