import type { EffectivePolicy, PolicyDocument } from "@drydock/protocol";
import type { PolicySource } from "./load-policy-file.ts";
import { POLICY_KEYS, type PolicyKey } from "./policy-keys.ts";
import { type PolicyRange, readPolicyRange } from "./policy-range.ts";
import { refuseRequest, refuseWorkspace } from "./refuse-policy.ts";
import type { PolicyValue } from "./scales.ts";
import { SYSTEM_POLICY } from "./system-policy.ts";

export interface PolicyOrigin {
  source: "system" | "home" | "workspace" | "preset" | "request";
  file?: string;
  line?: number;
}

/** What Python's interpreters are called. */
const PYTHON_COMMANDS = ["python*", "pypy*"];

/** One entry of `checks.required`, as text, and who requires it. */
export interface RequiredEntry {
  entry: string;
  origin: PolicyOrigin;
}

/** An entry that somebody added to one of the system's lists of what is denied. */
export interface AddedDenial {
  key: string;
  entry: string;
  origin: PolicyOrigin;
  /** The key that the entry follows from, if nobody wrote the entry itself. */
  follows?: string;
}

export interface ResolvedPolicy {
  /** What holds for the run. */
  effective: EffectivePolicy;
  /** What a request may ask for at most. For lists of what is denied: what they hold at least. */
  ceiling: EffectivePolicy;
  /** Which source each effective value comes from, by its dotted key. */
  origins: Record<string, PolicyOrigin>;
  /** Keys that the owner, the workspace or the request wrote themselves, though it be what would hold anyway. */
  named: readonly string[];
  /** The entries of `checks.required`, in the order in which they hold. */
  required: readonly RequiredEntry[];
  /** Who added to the lists of what is denied. The system's own entries are not among them. */
  denials: readonly AddedDenial[];
}

export interface PolicySources {
  home?: PolicySource | null;
  workspace?: PolicySource | null;
  request?: PolicyDocument | undefined;
  /** Other defaults of a surface (the REPL's shorter limits, say), held within the ceiling. */
  preset?: PolicyDocument | undefined;
}

/** Default and ceiling of one key on its way through the sources, and which of them set each. */
export interface ResolvedRange {
  default: PolicyValue;
  ceiling: PolicyValue;
  defaultFrom: PolicyOrigin;
  ceilingFrom: PolicyOrigin;
}

/**
 * Takes each key through the sources in order: the system, the home policy (the owner, who may set anything), the
 * workspace (which may only narrow), the surface's preset, the request (which may ask for up to the ceiling).
 */
export function resolvePolicy({ home, workspace, request, preset }: PolicySources): ResolvedPolicy {
  const effective: [string, PolicyValue][] = [];
  const ceiling: [string, PolicyValue][] = [];
  const origins: Record<string, PolicyOrigin> = {};
  const written = [home?.document, workspace?.document, request].filter((document) => document !== undefined);
  for (const key of POLICY_KEYS) {
    let span = readSystem(key);
    if (home) span = applyHome(key, span, home);
    const ownerCeiling = span.ceiling;
    if (workspace) span = narrowByWorkspace(key, span, workspace, home ?? null);
    ceiling.push([key.path, span.ceiling]);
    if (preset) span = applyPreset(key, span, preset, ownerCeiling);
    if (request) span = applyRequest(key, span, request, home ?? null);
    effective.push([key.path, span.default]);
    origins[key.path] = span.defaultFrom;
  }
  const named = POLICY_KEYS.map(({ path }) => path).filter((path) =>
    written.some((document) => readPolicyRange(document, path) !== undefined),
  );
  const denials = listDenials({ home, workspace, request, preset });
  const built = buildPolicy(effective);
  return {
    effective: built.python.enabled ? built : denyInterpreters(built, denials, origins["python.enabled"]),
    ceiling: buildPolicy(ceiling),
    origins,
    named,
    required: listRequired({ home, workspace, request }),
    denials,
  };
}

/** Where Python is switched off, its interpreters are denied as commands too, by every route that reads the list. */
function denyInterpreters(
  policy: EffectivePolicy,
  denials: AddedDenial[],
  origin: PolicyOrigin = { source: "system" },
): EffectivePolicy {
  const added = PYTHON_COMMANDS.filter((entry) => !policy.commands.deny.includes(entry));
  for (const entry of added) denials.push({ key: "commands.deny", entry, origin, follows: "python.enabled" });
  return { ...policy, commands: { ...policy.commands, deny: [...policy.commands.deny, ...added] } };
}

/** What a later source repeats stays the earlier one's: taking it off the later one alone would change nothing. */
function listDenials({ home, workspace, request, preset }: PolicySources): AddedDenial[] {
  const found: AddedDenial[] = [];
  const add = (key: string, document: PolicyDocument | undefined, originOf: (path: string) => PolicyOrigin) => {
    const list = document && readPolicyRange(document, key)?.max;
    const system = readPolicyRange(SYSTEM_POLICY, key)?.max as readonly string[];
    for (const [index, entry] of (Array.isArray(list) ? (list as readonly string[]) : []).entries()) {
      const isKnown = system.includes(entry) || found.some((each) => each.key === key && each.entry === entry);
      if (!isKnown && !entry.startsWith("!")) found.push({ key, entry, origin: originOf(`${key}.${index}`) });
    }
  };
  for (const { path } of POLICY_KEYS.filter((key) => key.denies)) {
    if (home) add(path, home.document, (at) => originIn("home", home, at));
    if (workspace) add(path, workspace.document, (at) => originIn("workspace", workspace, at));
    add(path, preset, () => ({ source: "preset" }));
    add(path, request, () => ({ source: "request" }));
  }
  return found;
}

/** The owner's first. What a later source repeats stays the earlier one's. */
function listRequired({ home, workspace, request }: PolicySources): RequiredEntry[] {
  const found = new Map<string, RequiredEntry>();
  const add = (document: PolicyDocument | undefined, originOf: (index: number) => PolicyOrigin) => {
    const list = document && readPolicyRange(document, "checks.required")?.default;
    const entries = Array.isArray(list) ? (list as readonly string[]) : [];
    for (const [index, entry] of entries.entries()) {
      if (!found.has(entry)) found.set(entry, { entry, origin: originOf(index) });
    }
  };
  if (home) add(home.document, (index) => originIn("home", home, `checks.required.${index}`));
  if (workspace) add(workspace.document, (index) => originIn("workspace", workspace, `checks.required.${index}`));
  add(request, () => ({ source: "request" }));
  return [...found.values()];
}

function readSystem(key: PolicyKey): ResolvedRange {
  const value = readPolicyRange(SYSTEM_POLICY, key.path);
  if (value?.default === undefined || value.max === undefined) {
    throw new TypeError(`The system policy says nothing about ${key.path}.`);
  }
  const from: PolicyOrigin = { source: "system" };
  return { default: value.default, ceiling: value.max, defaultFrom: from, ceilingFrom: from };
}

function originIn(source: "home" | "workspace", policy: PolicySource, path: string): PolicyOrigin {
  const line = policy.positions[path]?.line;
  return { source, file: policy.file, ...(line === undefined ? {} : { line }) };
}

function applyHome(key: PolicyKey, span: ResolvedRange, home: PolicySource): ResolvedRange {
  const range = readPolicyRange(home.document, key.path);
  if (!range) return span;
  const from = originIn("home", home, key.path);
  if (key.denies) {
    const list = editDenied(span.ceiling, range.max);
    return { default: list, ceiling: list, defaultFrom: from, ceilingFrom: from };
  }
  // A default above the ceiling raises the ceiling: an owner's default must be usable.
  const ceiling =
    range.max ?? (range.default === undefined ? span.ceiling : key.scale.wider(span.ceiling, range.default));
  const value = range.default ?? key.scale.narrower(span.default, ceiling);
  return {
    default: value,
    ceiling,
    defaultFrom: range.default === undefined && sameValue(value, span.default) ? span.defaultFrom : from,
    ceilingFrom: from,
  };
}

/** The owner's list adds to the inherited one; an entry that starts with `!` takes one off it. */
function editDenied(inherited: PolicyValue, own: PolicyValue | undefined): PolicyValue {
  const entries = Array.isArray(own) ? (own as readonly string[]) : [];
  const removed = new Set(entries.filter((entry) => entry.startsWith("!")).map((entry) => entry.slice(1)));
  const added = entries.filter((entry) => !entry.startsWith("!"));
  const kept = Array.isArray(inherited) ? (inherited as readonly string[]).filter((entry) => !removed.has(entry)) : [];
  return [...new Set([...kept, ...added])];
}

function narrowByWorkspace(
  key: PolicyKey,
  span: ResolvedRange,
  workspace: PolicySource,
  home: PolicySource | null,
): ResolvedRange {
  const range = readPolicyRange(workspace.document, key.path);
  if (!range) return span;
  checkWithin(key, span, range, () => refuseWorkspace(key, span, range, workspace, home));
  const from = originIn("workspace", workspace, key.path);
  const ceiling = range.max === undefined ? span.ceiling : key.scale.narrower(range.max, span.ceiling);
  // A workspace can't raise a default either, even below the ceiling: a cloned repository is not the owner.
  const wanted = key.scale.narrower(range.default ?? span.default, span.default);
  const value = key.scale.narrower(wanted, ceiling);
  return {
    default: value,
    ceiling,
    defaultFrom: sameValue(value, span.default) ? span.defaultFrom : from,
    ceilingFrom: sameValue(ceiling, span.ceiling) ? span.ceilingFrom : from,
  };
}

/**
 * The preset is held within the owner's ceiling first and the workspace's then. What two lists have in common is
 * found by coverage and may come out too small; in this order the workspace can still only take away from it.
 */
function applyPreset(
  key: PolicyKey,
  span: ResolvedRange,
  preset: PolicyDocument,
  ownerCeiling: PolicyValue,
): ResolvedRange {
  const range = readPolicyRange(preset, key.path);
  const wanted = range?.default ?? range?.max;
  if (wanted === undefined) return span;
  const value = key.scale.narrower(key.scale.narrower(wanted, ownerCeiling), span.ceiling);
  const unchanged = sameValue(value, span.default);
  return { ...span, default: value, defaultFrom: unchanged ? span.defaultFrom : { source: "preset" } };
}

function applyRequest(
  key: PolicyKey,
  span: ResolvedRange,
  request: PolicyDocument,
  home: PolicySource | null,
): ResolvedRange {
  const range = readPolicyRange(request, key.path);
  if (!range) return span;
  checkWithin(key, span, range, () => refuseRequest(key, span, range, home));
  const wanted = range.default ?? key.scale.narrower(span.default, range.max ?? span.default);
  // What a preset denies stays denied; for everything else a request may go back up to the ceiling.
  const bound = key.denies ? span.default : span.ceiling;
  return { ...span, default: key.scale.narrower(wanted, bound), defaultFrom: { source: "request" } };
}

function checkWithin(key: PolicyKey, span: ResolvedRange, range: PolicyRange, refuse: () => Error): void {
  for (const value of [range.default, range.max]) {
    if (value === undefined) continue;
    const removes = key.denies && Array.isArray(value) && value.some((entry) => entry.startsWith("!"));
    if (removes || (!key.denies && !key.scale.within(value, span.ceiling))) throw refuse();
  }
}

function sameValue(a: PolicyValue, b: PolicyValue): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function buildPolicy(values: readonly [string, PolicyValue][]): EffectivePolicy {
  const root: Record<string, unknown> = { version: 1 };
  for (const [path, value] of values) {
    const names = path.split(".");
    const last = names.pop() ?? "";
    let node = root;
    for (const name of names) {
      node[name] ??= {};
      node = node[name] as Record<string, unknown>;
    }
    node[last] = value;
  }
  // Every key is in `POLICY_KEYS`, and every value came from a document that was checked: a test holds it to the schema.
  return root as EffectivePolicy;
}
