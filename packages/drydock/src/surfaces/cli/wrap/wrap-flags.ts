import type { WrapDecision } from "../../../app/index.ts";
import { refuse } from "../goal/refuse.ts";

export interface WrapFlags {
  workspace?: string;
  allow?: string[];
  upstream?: string[];
  check?: string[];
  sufficient?: boolean;
  mayChange?: string[];
  from?: string;
  checkpoint?: number;
  home?: string;
  env?: string[];
  timeout?: number;
  memory?: number;
  policy?: string;
  terminal?: boolean;
  escape?: boolean;
  applyIfPassed?: boolean;
  apply?: boolean;
  keep?: boolean;
  discard?: boolean;
  json?: boolean;
}

/** What was said beforehand about the changes; null: a person is asked, where there is one. */
export function readFate({ applyIfPassed, apply, keep, discard }: WrapFlags): WrapDecision | "if-passed" | null {
  const said = [applyIfPassed && "if-passed", apply && "apply", keep && "keep", discard && "discard"].filter(
    (each) => typeof each === "string",
  );
  const names = "--apply-if-passed, --apply, --keep and --discard";
  refuse(said.length > 1, `Only one of ${names} can be given.`, "They say what becomes of the changes.");
  return (said[0] as WrapDecision | "if-passed" | undefined) ?? null;
}
