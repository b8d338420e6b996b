import type { InstalledExtension, InstallPlan } from "@drydock/protocol";
import type { InstallOptions } from "../../../app/index.ts";
import { HttpProblem } from "../guard/http-problem.ts";

export type Installing = (options: InstallOptions) => Promise<InstalledExtension>;

export type Installation =
  | { outcome: "planned"; plan: InstallPlan }
  | { outcome: "installed"; extension: InstalledExtension };

/**
 * Installs what was shown to the caller before, and nothing else: who names the plan's hash has seen the plan, and the
 * hash is over every file. Who names none is shown it.
 */
export async function installShown(
  { approved, by }: { approved?: string; by?: string },
  install: Installing,
): Promise<Installation> {
  let shown: InstallPlan | undefined;
  const approve = async (plan: InstallPlan) => {
    shown = plan;
    return plan.extension.hash === approved;
  };
  try {
    return { outcome: "installed", extension: await install({ approve, by, hash: approved }) };
  } catch (error) {
    if (!shown || shown.extension.hash === approved) throw error;
    if (approved === undefined) return { outcome: "planned", plan: shown };
    throw isAnother(shown, approved);
  }
}

function isAnother({ extension: { manifest, hash } }: InstallPlan, approved: string): HttpProblem {
  return new HttpProblem(409, {
    code: "policy.approval_denied",
    message: `The extension ${manifest.id} is not the one that was shown: its hash is ${hash}. Nothing was installed.`,
    hint: "Ask again without `approved`, look at what it asks for now, and agree to that.",
    data: { extension: manifest.id, hash, approved },
  });
}
