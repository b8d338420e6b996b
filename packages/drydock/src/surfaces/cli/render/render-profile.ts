import type { Profile, ProfileStep, WorkspaceProfiles } from "@drydock/protocol";
import { cleanLine, cleanText } from "../../terminal/clean-text.ts";
import { renderTime } from "../../terminal/render/render-quantities.ts";
import type { Colors } from "../../terminal/terminal.ts";

const MAX_EARLIER = 5;

export function renderProfiles({ workspace, approved, proposed, earlier }: WorkspaceProfiles, colors: Colors): string {
  const parts = [
    approved ? renderProfile(approved, colors) : `No profile of ${cleanLine(workspace)} is approved.\n`,
    proposed ? `\n${renderProfile(proposed, colors)}` : "",
  ];
  if (earlier.length > 0) {
    const lines = earlier.slice(0, MAX_EARLIER).map((profile) => `  ${describeLast(profile)}\n`);
    const more = earlier.length > MAX_EARLIER ? `  and ${earlier.length - MAX_EARLIER} more\n` : "";
    parts.push(`\n${colors.dim("earlier")}\n${lines.join("")}${more}`);
  }
  return parts.join("");
}

export function renderProfile(profile: Profile, colors: Colors): string {
  const paint = profile.status === "approved" ? colors.green : colors.yellow;
  const head = `${paint(`profile ${profile.number}: ${profile.status}`)} ${colors.dim(`(from ${cleanLine(profile.sources.join(", "))})`)}\n`;
  const steps = profile.history.map((step) => `  ${describeStep(step)}\n`).join("");
  return `${head}${steps}\n${cleanText(profile.text)}\n`;
}

function describeLast({ number, status, history }: Profile): string {
  const last = history.at(-1);
  return `${number}: ${last ? describeStep(last) : status}`;
}

function describeStep({ status, by, at, reason }: ProfileStep): string {
  const why = reason === "" ? "" : `: ${cleanLine(reason)}`;
  return `${status} by ${cleanLine(by)}, ${renderTime(at)}${why}`;
}
