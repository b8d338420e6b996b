import { runDriver } from "../inside/run-driver.ts";
import type { JudgeContext } from "../judge-context.ts";
import { readHttpTarget } from "./http-target.ts";
import { readCheckedFile } from "./read-checked-file.ts";

export type SchemaLookup = { ok: true; text: string } | { ok: false; reason: string };

/** The base URI of a schema without its own. No real schema can have this name. */
export const SCHEMA_PLACE = "https://schema.invalid/";

const MAX_FILE_MB = 4;
const SECONDS = 10;
const MAX_BYTES = 1024 * 1024;

/**
 * A schema that another one refers to: a file of the tree where the reference is relative, else what the address gives,
 * through the proxy, where the policy allows its host. The result is JSON text, or why there is none.
 */
export async function findSchema(uri: string, context: JudgeContext): Promise<SchemaLookup> {
  return uri.startsWith(SCHEMA_PLACE) ? readFromTree(uri, context) : fetchThroughProxy(uri, context);
}

async function readFromTree(uri: string, context: JudgeContext): Promise<SchemaLookup> {
  const path = decodeURIComponent(uri.slice(SCHEMA_PLACE.length).split("#")[0] ?? "");
  // Part of the check: what the judged work makes of a schema that was there does not count.
  const tree = context.before?.lookup(path) ? context.before : context.tree;
  const file = await readCheckedFile({ tree }, path, MAX_FILE_MB);
  if (!file.ok) return { ok: false, reason: `it refers to ${path}: ${file.finding.reason}` };
  return { ok: true, text: file.bytes.toString() };
}

async function fetchThroughProxy(uri: string, context: JudgeContext): Promise<SchemaLookup> {
  const target = readHttpTarget(uri, context.policy.network.allow, false);
  if (target.kind === "refused")
    return { ok: false, reason: `it refers to ${uri}, which is not part of it. ${target.reason}` };
  const request = { services: [], target: { ...target, seconds: SECONDS, limit: MAX_BYTES } };
  const { report } = await runDriver(context, request, SECONDS * 2);
  const { status, body, unreachable, refused, broken } = report?.answer ?? {};
  if (status === 200 && body !== undefined) return { ok: true, text: body };
  const why = unreachable ?? refused ?? broken ?? (status === undefined ? "no answer" : `it answered ${status}`);
  return { ok: false, reason: `it refers to ${uri}, which can't be had: ${why}` };
}
