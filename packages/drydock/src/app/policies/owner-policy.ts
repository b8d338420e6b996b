import { DrydockError } from "@drydock/protocol";
import {
  explainPolicy,
  loadPolicyEdits,
  loadPolicyFile,
  type PolicyChange,
  type PolicyDenial,
  type PolicyEdit,
  type PolicyRepair,
} from "../../policy/index.ts";
import type { HomePolicy, PolicyView } from "./api.ts";
import { createPolicies } from "./create-policies.ts";
import { editHomePolicy } from "./edit-home-policy.ts";
import { openHomePolicy } from "./open-home-policy.ts";

/** The owner's policy of a home, as the owner sees and changes it. It needs no dock, so that it can be mended without one. */
export interface OwnerPolicy {
  /** What holds for a run, with the policy of a workspace if one is named. */
  show(workspace?: string): Promise<PolicyView>;
  /** Whether a run may do one thing, by which rule, and where that stands. */
  ask: HomePolicy["ask"];
  /** Rejects with `policy.invalid` where a file holds no policy. */
  check(file: string): Promise<void>;
  allow(kind: string, values: readonly string[]): Promise<PolicyEdit>;
  deny(kind: string, values: readonly string[]): Promise<PolicyDenial>;
  set(key: string, value: unknown): Promise<PolicyChange>;
  unset(key: string): Promise<PolicyChange | PolicyRepair>;
}

export function createOwnerPolicy(home: string): OwnerPolicy {
  return {
    async show(workspace) {
      const resolved = await createPolicies(home).resolve({ workspace: workspace ?? null });
      return { effective: resolved.effective, ceiling: resolved.ceiling, rows: explainPolicy(resolved) };
    },
    ask: (question, options) =>
      openHomePolicy({ home, policies: createPolicies(home), own: [home] }).ask(question, options),
    async check(file) {
      if (await loadPolicyFile(file)) return;
      throw new DrydockError("input.invalid", `There is no file ${file}.`, "Check the path.", { file });
    },
    async allow(kind, values) {
      const { allowInPolicyFile } = await loadPolicyEdits();
      return editHomePolicy(home, (path) => allowInPolicyFile(path, kind, values));
    },
    async deny(kind, values) {
      const { denyInPolicyFile } = await loadPolicyEdits();
      return editHomePolicy(home, (path) => denyInPolicyFile(path, kind, values));
    },
    async set(key, value) {
      const { setInPolicyFile } = await loadPolicyEdits();
      return editHomePolicy(home, (path) => setInPolicyFile(path, key, value));
    },
    async unset(key) {
      const { unsetInPolicyFile } = await loadPolicyEdits();
      return editHomePolicy(home, (path) => unsetInPolicyFile(path, key));
    },
  };
}
