import { DrydockError, explainFullDisk } from "@drydock/protocol";
import type { Document } from "yaml";
import { putFile } from "../../base/files/index.ts";
import { type PolicySource, readPolicyText } from "../load-policy-file.ts";
import { parsePolicyText } from "../parse-policy-text.ts";

/** The owner's policy file while it is edited. Comments and order stay as they are. */
export interface OpenPolicy {
  yaml: typeof import("yaml");
  document: Document;
  /** What the file said when it was opened; null where there was none. */
  text: string | null;
  source: PolicySource;
}

export async function openPolicy(path: string): Promise<OpenPolicy> {
  const yaml = await import("yaml");
  const text = await readPolicyText(path);
  const source = parsePolicyText(path, text ?? "");
  const parsed = yaml.parseDocument(text ?? "");
  const document: Document = yaml.isMap(parsed.contents) ? parsed : new yaml.Document({ version: 1 });
  if (document !== parsed) document.commentBefore = parsed.commentBefore ?? parsed.comment;
  return { yaml, document, text, source };
}

export function setNode({ document, yaml }: OpenPolicy, path: readonly string[], value: unknown): void {
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
  if (yaml.isScalar(existing) && yaml.isScalar(node)) {
    existing.value = node.value;
    return;
  }
  if (yaml.isScalar(existing) && existing.comment) node.comment = existing.comment;
  document.setIn(path, node);
}

/** Adds entries at the end of a list; those that are there stay as they are written. */
export function appendNodes(policy: OpenPolicy, path: readonly string[], entries: readonly unknown[]): void {
  const { document, yaml } = policy;
  const existing: unknown = document.getIn(path, true);
  if (!yaml.isSeq(existing)) setNode(policy, path, entries);
  else for (const entry of entries) existing.add(document.createNode(entry));
}

/** Removes a value, and the sections that hold nothing without it. */
export function removeNode({ document, yaml }: Pick<OpenPolicy, "document" | "yaml">, path: readonly string[]): void {
  document.deleteIn(path);
  for (let depth = path.length - 1; depth > 0; depth--) {
    const section: unknown = document.getIn(path.slice(0, depth), true);
    if (!yaml.isMap(section) || section.items.length > 0) return;
    document.deleteIn(path.slice(0, depth));
  }
}

/** Checks the new text first, then puts it in place. */
export async function savePolicy(path: string, policy: OpenPolicy): Promise<PolicySource> {
  const text = policy.document.toString({ lineWidth: 0 });
  const source = parsePolicyText(path, text);
  await replacePolicyText(path, policy.text, text);
  return source;
}

/**
 * Puts the text in place whole, so that a crash leaves the old policy or the new one. A file that is no longer as it was
 * read, because somebody changed it with an editor, say, stays as it is.
 */
export async function replacePolicyText(path: string, read: string | null, text: string): Promise<void> {
  try {
    await putFile(path, text, async () => {
      if ((await readPolicyText(path)) !== read) throw new Error("another program changed it in the meantime");
    });
  } catch (cause) {
    const full = explainFullDisk(cause, path);
    if (full) throw full;
    const reason = cause instanceof Error ? cause.message : String(cause);
    const hint = "Check that the directory is writable and that no other program is editing the file. Then try again.";
    throw new DrydockError(
      "policy.invalid",
      `${path}: the policy can't be written: ${reason}`,
      hint,
      { file: path },
      cause,
    );
  }
}
