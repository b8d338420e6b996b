import type { CheckSource } from "@drydock/protocol";
import { cleanLine } from "../../terminal/clean-text.ts";

/** A check in a few words: its name, or its type and what it looks at. */
export function labelCheck(check: Record<string, unknown> & { type?: unknown; name?: unknown }): string {
  if (typeof check.name === "string") return cleanLine(check.name);
  const paths = Array.isArray(check.paths) ? check.paths.join(", ") : undefined;
  const about = [check.cmd, check.path, check.url, check.expression, paths].find((value) => typeof value === "string");
  return cleanLine(`${check.type}${about === undefined ? "" : ` ${about}`}`);
}

/** Who requires the check; empty for one of the plan's own. */
export function labelSource(source: CheckSource | undefined): string {
  return source === undefined || source === "plan" ? "" : ` (required by the ${source})`;
}
