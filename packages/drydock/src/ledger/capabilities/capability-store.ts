import type { CapabilityRecord, ListCapabilitiesOptions } from "@drydock/protocol";
import type { LedgerContext } from "../ledger-context.ts";
import {
  type Admission,
  admitCapability,
  type CapabilityQuota,
  type CapabilityUse,
  readUse,
} from "./admit-capability.ts";
import { listCapabilities } from "./list-capabilities.ts";

/** Runs of extensions: looked up by what was called, and counted. Their rows are written with their runs. */
export interface CapabilityStore {
  list(options?: ListCapabilitiesOptions): Promise<{ runs: CapabilityRecord[]; nextCursor: string | null }>;
  /** Counts the call, unless its extension's quota is used up. Holds across all processes of one home. */
  admit(runId: string, quota: CapabilityQuota): Promise<Admission>;
  use(extension: string): Promise<CapabilityUse>;
}

export function createCapabilityStore(context: LedgerContext): CapabilityStore {
  return {
    list: (options) => listCapabilities(context, options),
    admit: (runId, quota) => admitCapability(context, runId, quota),
    use: (extension) => readUse(context, extension),
  };
}
