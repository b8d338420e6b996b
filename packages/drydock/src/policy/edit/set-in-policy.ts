import { DrydockError } from "@drydock/protocol";
import { checkPolicy } from "../find-problems.ts";
import type { PolicySource } from "../load-policy-file.ts";
import { findNearestKey, findPolicyKey, POLICY_KEYS, type PolicyKey, readPolicyPath } from "../policy-keys.ts";
import { type PolicyRange, readPolicyRange } from "../policy-range.ts";
import { resolvePolicy } from "../resolve-policy.ts";
import type { PolicyValue } from "../scales.ts";
import { appendNodes, type OpenPolicy, openPolicy, removeNode, savePolicy, setNode } from "./policy-file.ts";
import { type PolicyRepair, removeFromInvalid } from "./remove-from-invalid.ts";

/** What holds for a key where neither a workspace nor a request says more. */
export interface EffectiveRange {
  default: PolicyValue;
  ceiling: PolicyValue;
}

export interface PolicyChange {
  file: string;
  key: string;
  before: EffectiveRange;
  after: EffectiveRange;
  /** Default and ceiling can be set apart. */
  ranged: boolean;
  /** The file says something else now. */
  written: boolean;
}

interface KeyPart {
  key: PolicyKey;
  part: "default" | "max" | undefined;
}

/**
 * Sets one value of the home policy. A key such as `limits.wallSeconds` sets the default; the ceiling rises with it where
 * it has to and never falls. `limits.wallSeconds.max` sets the ceiling; the default falls with it where it has to. A list
 * of what is denied or required gets the entries that it lacks. Text is read as YAML, so that a command line can give
 * numbers and lists.
 */
export async function setInPolicyFile(path: string, keyPath: string, value: unknown): Promise<PolicyChange> {
  const { key, part } = readKeyPath(keyPath);
  const policy = await openPolicy(path);
  const newValue = typeof value === "string" ? parseText(policy.yaml, keyPath, value) : value;
  const compared = checkValue(key, keyPath, newValue);
  const names = key.path.split(".");
  if (key.denies || key.path === "checks.required") {
    appendNodes(policy, names, findMissing(readPolicyPath(policy.source.document, key.path), newValue, compared));
  } else if (!key.ranged) setNode(policy, names, newValue);
  else setRange(policy, key, part === "max" ? { max: compared } : { default: compared });
  return finishChange(path, policy, key);
}

/**
 * Removes one value from the home policy, so that the system's holds again. From a file that is not valid any key can be
 * removed, whether the policy knows it or not.
 */
export async function unsetInPolicyFile(path: string, keyPath: string): Promise<PolicyChange | PolicyRepair> {
  let policy: OpenPolicy;
  try {
    policy = await openPolicy(path);
  } catch (invalid) {
    return removeFromInvalid(path, keyPath, invalid);
  }
  const { key, part } = readKeyPath(keyPath);
  const range = readPolicyRange(policy.source.document, key.path);
  const names = key.path.split(".");
  if (range === undefined || (part && range[part] === undefined)) return describeChange(path, policy, key, null);
  if (!part) removeNode(policy, names);
  else {
    const other = part === "max" ? "default" : "max";
    if (range[other] === undefined) removeNode(policy, names);
    else if (readPolicyPath(policy.source.document, `${key.path}.${part}`) !== undefined)
      removeNode(policy, [...names, part]);
    else setNode(policy, names, { [other]: range[other] });
  }
  return finishChange(path, policy, key);
}

function readKeyPath(keyPath: string): KeyPart {
  const part = /\.(default|max)$/.exec(keyPath)?.[1] as KeyPart["part"];
  const key = findPolicyKey(part ? keyPath.slice(0, -part.length - 1) : keyPath);
  if (key && (!part || key.ranged)) return { key, part };
  const known = POLICY_KEYS.map((candidate) => candidate.path);
  const meant = key ? key.path : findNearestKey(keyPath);
  const inside = known.filter((path) => path.startsWith(`${keyPath}.`));
  const keys =
    inside.length > 0
      ? `${keyPath} is a group. Name one of its keys: ${inside.join(", ")}.`
      : `The keys of a policy are ${known.join(", ")}.`;
  const hint = meant ? `Did you mean ${meant}?` : keys;
  throw new DrydockError("input.invalid", `The policy has no key ${keyPath}.`, hint, { key: keyPath });
}

function parseText(yaml: OpenPolicy["yaml"], keyPath: string, text: string): unknown {
  try {
    return yaml.parse(text, { logLevel: "error" });
  } catch (cause) {
    const hint = "Put entries with special characters in quotes, such as '[\"src/**\"]'.";
    throw new DrydockError(
      "input.invalid",
      `The value for ${keyPath} is not valid YAML: ${text}`,
      hint,
      { key: keyPath },
      cause,
    );
  }
}

/** The value as policies compare it. One that the key can't have is refused before the file is looked at. */
function checkValue(key: PolicyKey, keyPath: string, value: unknown): PolicyValue {
  const document = key.path.split(".").reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
  const checked = checkPolicy(document);
  const found = checked.ok ? readPolicyPath(checked.document, key.path) : undefined;
  if (checked.ok && (typeof found !== "object" || Array.isArray(found))) return found as PolicyValue;
  const [problem] = checked.ok ? [] : checked.problems;
  const message = problem?.message ?? "must be a single value or a list, not a map";
  const hint = problem?.hint ?? `Set ${key.path}.default and ${key.path}.max separately.`;
  throw new DrydockError("policy.invalid", `${keyPath}: ${message}`, hint, { key: keyPath });
}

/** The new entries that the file's own list lacks. A required check may be a map: its text is compared. */
function findMissing(own: unknown, newValue: unknown, compared: PolicyValue): unknown[] {
  const known = Array.isArray(own) ? own : [];
  const texts = Array.isArray(compared) ? (compared as readonly string[]) : [];
  return (Array.isArray(newValue) ? newValue : []).filter((_, index) => !known.includes(texts[index]));
}

function setRange(policy: OpenPolicy, key: PolicyKey, wanted: PolicyRange): void {
  const { scale } = key;
  const current = readPolicyRange(policy.source.document, key.path) ?? {};
  const names = key.path.split(".");
  const next: PolicyRange = { ...current, ...wanted };
  if (next.default !== undefined && next.max !== undefined && !scale.within(next.default, next.max)) {
    if (wanted.max === undefined) next.max = scale.wider(next.max, next.default);
    else next.default = scale.narrower(next.default, next.max);
  }
  const isRange = ["default", "max"].some(
    (part) => readPolicyPath(policy.source.document, `${key.path}.${part}`) !== undefined,
  );
  const isPlain = !isRange && JSON.stringify(next.default) === JSON.stringify(next.max);
  if (isPlain) setNode(policy, names, next.default);
  else if (!isRange) setNode(policy, names, next);
  else {
    for (const [part, value] of Object.entries(next)) if (value !== undefined) setNode(policy, [...names, part], value);
  }
}

async function finishChange(path: string, policy: OpenPolicy, key: PolicyKey): Promise<PolicyChange> {
  return describeChange(path, policy, key, await savePolicy(path, policy));
}

function describeChange(
  path: string,
  { source }: OpenPolicy,
  key: PolicyKey,
  saved: PolicySource | null,
): PolicyChange {
  return {
    file: path,
    key: key.path,
    before: readHeld(source, key),
    after: readHeld(saved ?? source, key),
    ranged: key.ranged,
    written: saved !== null,
  };
}

function readHeld(source: PolicySource, { path }: PolicyKey): EffectiveRange {
  const { effective, ceiling } = resolvePolicy({ home: source });
  return {
    default: readPolicyPath(effective, path) as PolicyValue,
    ceiling: readPolicyPath(ceiling, path) as PolicyValue,
  };
}
