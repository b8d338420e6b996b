import { checkShape } from "../base/json-schema/index.ts";

export type ReadOutput = { ok: true; json: unknown } | { ok: false; problems: string[] };

/** Takes the JSON value out of an answer's text and checks it against the requested shape. */
export async function readOutput(text: string, schema: Record<string, unknown>): Promise<ReadOutput> {
  const parsed = parseJson(text);
  if (!parsed.ok) return { ok: false, problems: [`it is not valid JSON: ${parsed.reason}`] };
  const problems = await checkShape(parsed.json, schema);
  return problems.length === 0 ? { ok: true, json: parsed.json } : { ok: false, problems };
}

/** Models like to put JSON between marks or between sentences: what is meant is clear all the same. */
function parseJson(text: string): { ok: true; json: unknown } | { ok: false; reason: string } {
  const whole = text.trim();
  if (whole === "") return { ok: false, reason: "it is empty" };
  const fenced = /```(?:json)?\s*\n([\s\S]*?)\n\s*```/.exec(whole)?.[1];
  const start = whole.search(/[{[]/);
  const between =
    start < 0 ? undefined : whole.slice(start, Math.max(whole.lastIndexOf("}"), whole.lastIndexOf("]")) + 1);
  let reason = "";
  for (const candidate of [whole, fenced, between]) {
    if (candidate === undefined) continue;
    try {
      return { ok: true, json: JSON.parse(candidate) };
    } catch (error) {
      reason ||= error instanceof Error ? error.message : String(error);
    }
  }
  return { ok: false, reason };
}
