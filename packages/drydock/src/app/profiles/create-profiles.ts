import { join } from "node:path";
import { DrydockError } from "@drydock/protocol";
import { realPathOf } from "../../base/paths/index.ts";
import type { Ledger } from "../../ledger/index.ts";
import type { Model } from "../../models/index.ts";
import { createPathRules } from "../../policy/index.ts";
import { resolveWorkspace } from "../../sandbox/index.ts";
import type { ModelSettings } from "../models/index.ts";
import type { Policies } from "../policies/index.ts";
import type { DecideOptions, Profiles, ProposeOptions } from "./api.ts";

export interface ProfilePorts {
  ledger: Pick<Ledger, "profiles">;
  policies: Policies;
  /** Drydock's own directories. */
  own: readonly string[];
  readModelSettings(model: string | undefined): Promise<ModelSettings>;
}

export function createProfiles(ports: ProfilePorts): Profiles {
  const { profiles } = ports.ledger;
  const decide = (decision: "approved" | "rejected") => async (options: DecideOptions) => {
    const { by, reason = "", number } = options;
    const workspace = resolveWorkspace(options.workspace, ports.own);
    return profiles.decide({ workspace, decision, number, by: requireName(by), reason });
  };
  return {
    get: async (workspace) => profiles.read(resolveWorkspace(workspace, ports.own)),
    pending: profiles.pending,
    async propose(options) {
      const by = requireName(options.by);
      const workspace = resolveWorkspace(options.workspace, ports.own);
      const { text, sources, warning } = await drawProposal(ports, workspace, options);
      const profile = await profiles.propose({ workspace, text, sources, by, reason: options.reason ?? "" });
      return { profile, warning };
    },
    approve: decide("approved"),
    reject: decide("rejected"),
    approvedText: async (workspace) => readApprovedProfile(ports.ledger, resolveWorkspace(workspace, ports.own)),
  };
}

/** The text that reaches prompts: an approved one, within its limits, or none. */
export async function readApprovedProfile(ledger: Pick<Ledger, "profiles">, workspace: string): Promise<string | null> {
  const { approved } = await ledger.profiles.read(workspace);
  if (!approved) return null;
  const { cleanProfileText } = await loadProfile();
  return cleanProfileText(approved.text) || null;
}

// A profile is drawn up rarely: its code is loaded only then.
async function loadProfile() {
  return (await import("../../engine/index.ts")).loadProfile();
}

async function drawProposal(ports: ProfilePorts, workspace: string, { text, model, signal }: ProposeOptions) {
  const { cleanProfileText, drawProfile } = await loadProfile();
  if (text !== undefined) {
    const clean = cleanProfileText(text);
    if (clean !== "") return { text: clean, sources: ["person"], warning: null };
    throw new DrydockError("input.invalid", "The profile's text is empty.", "Write what models should know.");
  }
  const opened = model === false ? { model: null, warning: null } : await openModel(ports, model);
  const drawn = await drawProfile({
    root: workspace,
    hidden: await createHidden(ports, workspace),
    failures: await ports.ledger.profiles.failedChecks(workspace),
    model: opened.model,
    signal,
  });
  if (drawn.text === "") {
    const hint = "Give your own words with --file.";
    throw new DrydockError("input.invalid", `No facts for a profile were found in ${workspace}.`, hint);
  }
  return { ...drawn, warning: opened.warning ?? drawn.warning };
}

/** A model that somebody names must work; one that is only configured may be missing, and rules are enough then. */
async function openModel(ports: ProfilePorts, requestedModel: string | undefined) {
  const { spec, source, options } = await ports.readModelSettings(requestedModel);
  // A key that is merely found is no reason to send a workspace's files to anybody where rules are enough.
  if (spec === null || source === "key") return { model: null, warning: null };
  try {
    const { createModel } = await import("../../models/index.ts");
    const model: Model = await createModel(spec, options);
    return { model, warning: null };
  } catch (error) {
    if (requestedModel !== undefined || !(error instanceof DrydockError)) throw error;
    return { model: null, warning: `The configured model added nothing: ${error.message}` };
  }
}

async function createHidden({ policies, own }: ProfilePorts, workspace: string): Promise<(path: string) => boolean> {
  const { effective } = await policies.resolve({ workspace });
  const rules = createPathRules(effective);
  const places = own.map(realPathOf);
  return (path) => rules.hidden(path) || places.includes(join(workspace, path));
}

function requireName(by: string): string {
  if (by.trim() !== "") return by;
  throw new DrydockError("input.invalid", "The name of the person who decides is missing.", "Give a name with --by.");
}
