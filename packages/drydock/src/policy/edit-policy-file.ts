import { randomUUID } from "node:crypto";
import { mkdir, open, realpath, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { DrydockError } from "@drydock/protocol";
import type { Document } from "yaml";
import { readAskedValue } from "./asked-value.ts";
import { type PolicySource, readPolicyText } from "./load-policy-file.ts";
import { findNearestWord } from "./nearest-word.ts";
import { parsePolicyText } from "./parse-policy-text.ts";
import { type AllowKind, findPolicyKey, POLICY_KEYS, type PolicyKey, readPolicyPath } from "./policy-keys.ts";
import type { PolicyValue } from "./scales.ts";
import { SYSTEM_POLICY } from "./system-policy.ts";

export interface PolicyEdit {
  file: string;
  /** Entries that were written. */
  added: string[];
  /** Entries that the file, or the system policy where the file is silent, allows already. */
  already: string[];
}

interface OpenPolicy {
  yaml: typeof import("yaml");
  document: Document;
  source: PolicySource;
}

/**
 * Adds entries to one of the home policy's lists of what is allowed, keeping its comments and order. A file that is
 * silent about the list gets the system's list together with the new entries, since a list in a file replaces the
 * system's. Where the file keeps default and max apart, only the max grows.
 */
export async function allowInPolicyFile(path: string, kind: AllowKind, values: readonly string[]): Promise<PolicyEdit> {
  const key = POLICY_KEYS.find((candidate) => candidate.allowKind === kind);
  if (!key)
    throw new DrydockError("input.invalid", `Nothing called ${kind} can be allowed.`, "See drydock policy --help.");
  for (const value of values) {
    const problem = key.describeProblem?.(value);
    if (problem) {
      const hint = kind === "network" ? "Name host:port, such as example.org:443." : "Correct the entry.";
      throw new DrydockError("input.invalid", `${JSON.stringify(value)} ${problem}.`, hint, { key: key.path, value });
    }
  }
  const policy = await openPolicy(path);
  const edit: PolicyEdit = { file: path, added: [], already: [] };
  if (kind === "import") unblockImports(policy, values, edit);
  const asked = readAskedValue(policy.source.document, key.path);
  const list = asked ? (asked.max ?? asked.default) : readAskedValue(SYSTEM_POLICY, key.path)?.max;
  const entries = Array.isArray(list) ? [...(list as string[])] : [];
  const everything = kind === "import" && entries.length === 0;
  for (const value of new Set(values)) {
    if (everything || key.scale.within([value], entries)) {
      if (!edit.added.includes(value)) edit.already.push(value);
    } else {
      entries.push(value);
      if (!edit.added.includes(value)) edit.added.push(value);
    }
  }
  if (edit.added.length === 0) return edit;
  if (!everything) setNode(policy, [...key.path.split("."), ...findListPart(policy.source, key)], entries);
  await savePolicy(path, policy);
  return edit;
}

/** Where the list stands that is to grow: under `max`, under `default`, or at the key itself. */
function findListPart(source: PolicySource, key: PolicyKey): string[] {
  if (readPolicyPath(source.document, `${key.path}.max`) !== undefined) return ["max"];
  if (readPolicyPath(source.document, `${key.path}.default`) !== undefined) return ["default"];
  return [];
}

/** An import that is blocked is allowed by taking it off the list of blocked ones. */
function unblockImports(policy: OpenPolicy, values: readonly string[], edit: PolicyEdit): void {
  const path = "python.imports.block";
  const blocked = readPolicyPath(policy.source.document, path);
  if (!Array.isArray(blocked)) return;
  const kept = (blocked as string[]).filter((entry) => !values.includes(entry));
  if (kept.length === blocked.length) return;
  edit.added.push(...new Set((blocked as string[]).filter((entry) => values.includes(entry))));
  setNode(policy, path.split("."), kept);
}

/**
 * Sets one value of the home policy: a key such as `limits.wallSeconds` (default and ceiling at once), or one end of
 * it such as `limits.wallSeconds.max`. Text is read as YAML, so that a command line can give numbers and lists.
 */
export async function setInPolicyFile(path: string, keyPath: string, value: unknown): Promise<void> {
  const part = /\.(default|max)$/.exec(keyPath)?.[1];
  const key = findPolicyKey(part ? keyPath.slice(0, -part.length - 1) : keyPath);
  if (!key || (part && !key.ranged)) {
    const known = POLICY_KEYS.map((candidate) => candidate.path);
    const meant = findNearestWord(keyPath, known);
    const hint = meant ? `Did you mean ${meant}?` : `Known keys: ${known.join(", ")}.`;
    throw new DrydockError("input.invalid", `${keyPath} is no key of the policy.`, hint, { key: keyPath });
  }
  const policy = await openPolicy(path);
  const written = typeof value === "string" ? parseText(policy.yaml, keyPath, value) : value;
  if (part) splitRange(policy, key, part);
  setNode(policy, keyPath.split("."), written);
  await savePolicy(path, policy);
}

function parseText(yaml: OpenPolicy["yaml"], keyPath: string, text: string): unknown {
  try {
    return yaml.parse(text);
  } catch (cause) {
    const hint = "Quote entries that hold special characters, such as '[\"src/**\"]'.";
    throw new DrydockError(
      "input.invalid",
      `The value for ${keyPath} is no YAML: ${text}`,
      hint,
      { key: keyPath },
      cause,
    );
  }
}

/** Turns a plain value into `{ default, max }` before one of the two is set. */
function splitRange(policy: OpenPolicy, key: PolicyKey, part: string): void {
  const current = readPolicyPath(policy.source.document, key.path) as PolicyValue | object | undefined;
  const isRange = typeof current === "object" && !Array.isArray(current);
  if (isRange) return;
  const other = part === "max" ? { default: current } : { max: current };
  setNode(policy, key.path.split("."), current === undefined ? {} : other);
}

function setNode({ document, yaml }: OpenPolicy, path: readonly string[], value: unknown): void {
  const existing: unknown = document.getIn(path, true);
  const isList = Array.isArray(value);
  if (isList && yaml.isSeq(existing)) {
    // Entries that stay keep their nodes, and with them their comments.
    const kept = existing.items.filter((item) => value.includes(yaml.isScalar(item) ? item.value : undefined));
    const known = new Set(kept.map((item) => (yaml.isScalar(item) ? item.value : undefined)));
    const fresh = value.filter((entry) => !known.has(entry)).map((entry) => document.createNode(entry));
    existing.items = [...kept, ...fresh];
    return;
  }
  const isFlow = typeof value === "object" && value !== null;
  const node = document.createNode(value, { flow: isFlow });
  if (yaml.isScalar(existing) && yaml.isScalar(node)) existing.value = node.value;
  else document.setIn(path, node);
}

async function openPolicy(path: string): Promise<OpenPolicy> {
  const yaml = await import("yaml");
  const text = await readPolicyText(path);
  const source = parsePolicyText(path, text ?? "");
  const parsed = yaml.parseDocument(text ?? "");
  const document: Document = yaml.isMap(parsed.contents) ? parsed : new yaml.Document({ version: 1 });
  if (document !== parsed) document.commentBefore = parsed.commentBefore ?? parsed.comment;
  return { yaml, document, source };
}

/** Checks the new text first, then puts it in place whole, so that a crash leaves the old policy or the new one. */
async function savePolicy(path: string, policy: OpenPolicy): Promise<void> {
  const text = policy.document.toString({ lineWidth: 0 });
  parsePolicyText(path, text);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const target = await realpath(path).catch(() => path);
  const temporary = join(dirname(target), `.${basename(target)}.${randomUUID()}`);
  try {
    {
      await using file = await open(temporary, "wx", 0o600);
      await file.writeFile(text);
      await file.sync();
    }
    await rename(temporary, target);
  } catch (cause) {
    await rm(temporary, { force: true });
    const reason = cause instanceof Error ? cause.message : String(cause);
    const hint = "Make the directory writable, or edit the file as its owner.";
    throw new DrydockError(
      "policy.invalid",
      `${path}: the policy can't be written: ${reason}`,
      hint,
      { file: path },
      cause,
    );
  }
}
