import type { Model } from "../../models/index.ts";
import { describeLayout } from "./describe-layout.ts";
import { findCommands } from "./find-commands.ts";
import { findConventions } from "./find-conventions.ts";
import { findLanguages } from "./find-languages.ts";
import { cleanLine, cleanProfileText } from "./profile-text.ts";
import { refineProposal } from "./refine-proposal.ts";
import { type ScanOptions, scanWorkspace } from "./scan-workspace.ts";
import { type PastFailure, summarizeFailures } from "./summarize-failures.ts";

export interface DrawOptions extends ScanOptions {
  failures: readonly PastFailure[];
  /** Adds to what the rules found, where there is one. */
  model?: Model | null;
}

export interface DrawnProfile {
  text: string;
  /** `rules`, and `model …` where a model added something. */
  sources: string[];
  /** Why the model added nothing; null if it did, or if no model was used. */
  warning: string | null;
}

interface Section {
  title: string;
  lines: readonly string[];
}

/** A proposal for a workspace's profile: by rules, from what its files say, and by a model where there is one. */
export async function drawProfile({ failures, model, ...options }: DrawOptions): Promise<DrawnProfile> {
  const scan = await scanWorkspace(options);
  const commands = await findCommands(scan);
  const facts = renderSections([
    {
      title: "Languages",
      lines: findLanguages(scan.paths).map(({ name, files }) => `${name}: ${files} ${files === 1 ? "file" : "files"}`),
    },
    { title: "Commands that its files name", lines: commands.map(({ command, from }) => `${command} (${from})`) },
    { title: "Conventions", lines: await findConventions(scan) },
    { title: "Layout", lines: describeLayout(scan) },
    { title: "Where earlier runs failed", lines: summarizeFailures(failures) },
  ]);
  if (!model) return { text: cleanProfileText(facts), sources: ["rules"], warning: null };
  const refined = await refineProposal(model, facts, scan, options.signal);
  if (refined.kind === "failed") {
    const warning = `The model ${model.id} added nothing: ${cleanLine(refined.reason, 300)}`;
    return { text: cleanProfileText(facts), sources: ["rules"], warning };
  }
  const answered = cleanLine(refined.model, 80);
  const name = model.scripted && answered !== "scripted" ? `${answered}, scripted` : answered;
  const added = renderSections([{ title: `Suggested by a model (${name})`, lines: refined.notes }]);
  const sources = refined.notes.length > 0 ? ["rules", `model ${name}`] : ["rules"];
  return { text: cleanProfileText(`${facts}\n${added}`), sources, warning: null };
}

function renderSections(sections: readonly Section[]): string {
  return sections
    .filter(({ lines }) => lines.length > 0)
    .map(({ title, lines }) => `${title}:\n${lines.map((line) => `- ${cleanLine(line, 300)}\n`).join("")}`)
    .join("\n");
}
