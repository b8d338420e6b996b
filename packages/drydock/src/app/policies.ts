import { type BigIntStats, statSync } from "node:fs";
import { join } from "node:path";
import type { PolicyDocument } from "@drydock/protocol";
import { loadPolicyFile, type PolicySource, type ResolvedPolicy, resolvePolicy } from "../policy/index.ts";

export interface Policies {
  resolve(options: {
    workspace?: string | null;
    request?: PolicyDocument;
    preset?: PolicyDocument;
  }): Promise<ResolvedPolicy>;
}

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

  return {
    async resolve({ workspace, request, preset }) {
      const [owner, local] = await Promise.all([
        load(homePolicyPath(home)),
        workspace ? load(workspacePolicyPath(workspace)) : null,
      ]);
      return resolvePolicy({ home: owner, workspace: local, request, preset });
    },
  };
}

function stampOf(path: string): string {
  const found: BigIntStats | undefined = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found ? `${found.ino}:${found.size}:${found.mtimeNs}:${found.ctimeNs}` : "none";
}
