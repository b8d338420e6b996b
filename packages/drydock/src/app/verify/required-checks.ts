import { type CheckEntry, DrydockError, type RequiredCheck, readCheckEntry, writeCheckEntry } from "@drydock/protocol";
import { findCheckProblems } from "../../engine/index.ts";
import type { ResolvedPolicy } from "../../policy/index.ts";
import { readWorkspaceChecks } from "./check-files.ts";

const SOURCES = { system: "owner", home: "owner", workspace: "workspace", preset: "owner", request: "user" } as const;
const WHOSE = { owner: "the owner's", workspace: "the workspace's", user: "the user's" } as const;

/**
 * What people require of a result: the policy's checks, those of the workspace's `.drydock/checks.yaml`, and those of the
 * request. Each source only adds. Rejects for a check that the policy does not let anybody make.
 */
export async function collectChecks(
  resolved: ResolvedPolicy,
  workspace: string,
  entries: readonly CheckEntry[],
): Promise<RequiredCheck[]> {
  const checks = joinChecks([
    ...listPolicyChecks(resolved),
    ...(await listWorkspaceChecks(workspace)),
    ...listRequestChecks(entries),
  ]);
  await refuseDenied(checks, resolved);
  return checks;
}

export function listPolicyChecks({ required }: ResolvedPolicy): RequiredCheck[] {
  return required.map(({ entry, origin }) => ({ source: SOURCES[origin.source], check: requireCheck(entry, entry) }));
}

/** Those of `.drydock/checks.yaml`. */
export async function listWorkspaceChecks(workspace: string): Promise<RequiredCheck[]> {
  const checks = (await readWorkspaceChecks(workspace)) ?? [];
  return checks.map((check) => ({ source: "workspace", check }));
}

export function listRequestChecks(entries: readonly CheckEntry[]): RequiredCheck[] {
  return entries.map((entry, index) => ({ source: "user", check: requireCheck(entry, `checks.${index}`) }));
}

/** The same check runs once, and belongs to the first source that requires it. */
export function joinChecks(checks: readonly RequiredCheck[]): RequiredCheck[] {
  const found = new Map<string, RequiredCheck>();
  for (const required of checks) {
    const text = writeCheckEntry(required.check);
    if (!found.has(text)) found.set(text, required);
  }
  return [...found.values()];
}

function requireCheck(entry: CheckEntry, where: string): RequiredCheck["check"] {
  const read = readCheckEntry(entry);
  if (read.ok) return read.check;
  const place = [where, ...read.path].map(String).join(".");
  throw new DrydockError(
    "input.invalid",
    `The check can't be read: ${place}: ${read.problem}.`,
    'Give a command line such as "pytest -q", or a check such as {"type":"file_exists","path":"README.md"}.',
    { check: entry },
  );
}

/** Such a check can never pass: better to say so before anything is done for the goal. */
async function refuseDenied(checks: readonly RequiredCheck[], { effective }: ResolvedPolicy): Promise<void> {
  const [problem] = await findCheckProblems(
    checks.map(({ check }) => check),
    effective,
  );
  const refused = problem && checks[problem.index];
  if (!refused) return;
  const { source, check } = refused;
  throw new DrydockError(
    source === "user" ? "input.invalid" : "policy.invalid",
    `The check ${writeCheckEntry(check)} (${WHOSE[source]}) can't be run: ${problem.reason}`,
    "Change the check, or the policy that does not allow it.",
    { source, check, code: problem.code },
  );
}
