import { type BigIntStats, statSync } from "node:fs";
import { join } from "node:path";
import type { PolicyDocument } from "@drydock/protocol";
import {
  loadPolicyFile,
  loadPolicyRequests,
  type PolicySource,
  type ResolvedPolicy,
  resolvePolicy,
} from "../../policy/index.ts";

export interface Policies {
  resolve(options: {
    workspace?: string | null;
    request?: PolicyDocument;
    preset?: PolicyDocument;
  }): Promise<ResolvedPolicy>;
}

const MAX_ANSWERS = 256;

export function homePolicyPath(home: string): string {
  return join(home, "policy.yaml");
}

export function workspacePolicyPath(workspace: string): string {
  return join(workspace, ".drydock", "policy.yaml");
}

/** Reads policy files again only when they changed: a look at the file costs microseconds, reading it a millisecond. */
export function createPolicies(home: string): Policies {
  const known = new Map<string, { stamp: string; source: PolicySource | null }>();

  async function load(path: string): Promise<PolicySource | null> {
    const stamp = stampOf(path);
    const found = known.get(path);
    if (found?.stamp === stamp) return found.source;
    const source = await loadPolicyFile(path);
    known.set(path, { stamp, source });
    return source;
  }

  /** Most runs ask for the same: the answer is kept with the very files that it came from. */
  const answers = new Map<
    string,
    { owner: PolicySource | null; local: PolicySource | null; resolved: ResolvedPolicy }
  >();

  async function resolveOrExplain(sources: Parameters<typeof resolvePolicy>[0]): Promise<ResolvedPolicy> {
    try {
      return deepFreeze(resolvePolicy(sources));
    } catch (error) {
      throw await (await import("./explain-upstream.ts")).explainUpstream(error, home);
    }
  }

  return {
    async resolve({ workspace, request, preset }) {
      const owner = await load(homePolicyPath(home));
      const localPath = workspace ? workspacePolicyPath(workspace) : undefined;
      // In the owner's home directory both are the same file, and it is the owner's.
      const local = localPath && localPath !== homePolicyPath(home) ? await load(localPath) : null;
      const key = JSON.stringify([request, preset]);
      const answer = answers.get(key);
      if (answer && answer.owner === owner && answer.local === local) return answer.resolved;
      const parsedRequest =
        request === undefined ? undefined : (await loadPolicyRequests()).parsePolicyRequest(request);
      const resolved = await resolveOrExplain({ home: owner, workspace: local, request: parsedRequest, preset });
      if (answers.size >= MAX_ANSWERS) answers.clear();
      answers.set(key, { owner, local, resolved });
      return resolved;
    },
  };
}

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    for (const item of Object.values(value)) deepFreeze(item);
    Object.freeze(value);
  }
  return value;
}

function stampOf(path: string): string {
  const found: BigIntStats | undefined = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found ? `${found.ino}:${found.size}:${found.mtimeNs}:${found.ctimeNs}` : "none";
}
