import { DrydockError } from "@drydock/protocol";
import { describeContent, type RunnerOutcome } from "../../extensions/index.ts";

const WANTED = "A runner returns a string, or { ok, content } with ok as true or false and content as a Uint8Array.";

/** What a runner of a program's own returned. The program may be JavaScript: nothing of it is taken on trust. */
export function readOwnOutcome(returned: unknown, runner: string): RunnerOutcome {
  const nothing = { error: null, artifacts: [], metadata: {}, notes: [] };
  if (typeof returned === "string") {
    const content = Buffer.from(returned);
    return { ok: true, content, mime: describeContent(content), ...nothing };
  }
  if (typeof returned !== "object" || returned === null || !("content" in returned)) {
    throw wrongOutcome(runner, `returned ${describe(returned)}`);
  }
  const { content } = returned;
  if (!(content instanceof Uint8Array)) throw wrongOutcome(runner, `returned ${describe(content)} as content`);
  const outcome = { mime: describeContent(content), ...nothing, ...returned, content };
  if (!("ok" in outcome) || typeof outcome.ok !== "boolean") throw wrongOutcome(runner, "did not say whether it is ok");
  return { ...outcome, ok: outcome.ok };
}

function describe(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object without content" : `a ${typeof value}`;
}

function wrongOutcome(runner: string, what: string): DrydockError {
  return new DrydockError("code.exception", `The runner ${runner} ${what}.`, WANTED, { runner });
}
