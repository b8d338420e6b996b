import { type ErrorCode, HOST_IMAGE, LIMIT_KEYS, SANDBOX_LEVELS } from "@drydock/protocol";
import { findNearestWord } from "../base/text/index.ts";
import { coversCommand, describeCommandPatternProblem } from "./rules/command-rules.ts";
import { coversEnvironment, describeEnvironmentPatternProblem } from "./rules/environment-rules.ts";
import { coversHost, describeHostEntryProblem } from "./rules/host-rules.ts";
import { coversImport, describeDottedNameProblem } from "./rules/import-rules.ts";
import { coversName, describeNamePatternProblem } from "./rules/name-rules.ts";
import { coversPath, describePathPatternProblem } from "./rules/path-rules.ts";
import { describeToolchainProblem } from "./rules/toolchain-rules.ts";
import { describeUpstreamProblem } from "./rules/upstream-rules.ts";
import {
  createAllowScale,
  createChoiceScale,
  createOpenAllowScale,
  createWordScale,
  denyScale,
  numberScale,
  requireScale,
  type Scale,
  switchScale,
} from "./scales.ts";

/** One value of the policy: how it compares, and the error if a request exceeds it. */
export interface PolicyKey {
  path: string;
  scale: Scale;
  /** The code of the refusal when a request exceeds the ceiling. */
  deniedCode: ErrorCode;
  /** May be written as `{ default, max }`. */
  ranged: boolean;
  /** A list of what is denied, which grows from source to source. */
  denies: boolean;
  /** What is wrong with one entry of the list, or null. */
  describeProblem?: (entry: string) => string | null;
  /** What `drydock policy allow` and `deny` call it. */
  allowKind?: AllowKind;
}

export const ALLOW_KINDS = ["network", "upstream", "command", "environment", "write", "import"] as const;
export type AllowKind = (typeof ALLOW_KINDS)[number];

const base = { deniedCode: "policy.invalid" as ErrorCode, ranged: true, denies: false };

function numbers(section: string, names: readonly string[]): PolicyKey[] {
  return names.map((name) => ({ ...base, path: `${section}.${name}`, scale: numberScale }));
}

function names(path: string): PolicyKey {
  const scale = createAllowScale(coversName);
  return { ...base, path, scale, deniedCode: "policy.command_denied", describeProblem: describeNamePatternProblem };
}

/** A home policy may start an entry with `!` to take it off an inherited list of what is denied. */
function denied(path: string, describe: (entry: string) => string | null): PolicyKey {
  const describeProblem = (entry: string) => describe(entry.replace(/^!/, ""));
  return { ...base, path, scale: denyScale, ranged: false, denies: true, describeProblem };
}

export const POLICY_KEYS: readonly PolicyKey[] = [
  { ...base, path: "files.access", scale: switchScale, deniedCode: "policy.path_denied" },
  {
    ...base,
    path: "files.write",
    scale: createAllowScale(coversPath),
    deniedCode: "policy.path_denied",
    describeProblem: describePathPatternProblem,
    allowKind: "write",
  },
  denied("files.protect", describePathPatternProblem),
  denied("files.hide", describePathPatternProblem),
  {
    ...base,
    path: "commands.allow",
    scale: createAllowScale(coversCommand),
    deniedCode: "policy.command_denied",
    describeProblem: describeCommandPatternProblem,
    allowKind: "command",
  },
  denied("commands.deny", describeCommandPatternProblem),
  {
    ...base,
    path: "network.allow",
    scale: createAllowScale(coversHost),
    deniedCode: "policy.network_denied",
    describeProblem: describeHostEntryProblem,
    allowKind: "network",
  },
  {
    ...base,
    path: "network.upstreams",
    scale: createAllowScale(coversName),
    deniedCode: "policy.network_denied",
    describeProblem: describeUpstreamProblem,
    allowKind: "upstream",
  },
  {
    ...base,
    path: "environment.allow",
    scale: createAllowScale(coversEnvironment),
    describeProblem: describeEnvironmentPatternProblem,
    allowKind: "environment",
  },
  { ...base, path: "python.enabled", scale: switchScale, ranged: false, deniedCode: "policy.command_denied" },
  { ...base, path: "python.guard", scale: createWordScale(["strict", "open", "off"]) },
  {
    ...base,
    path: "python.imports.allow",
    scale: createOpenAllowScale(coversImport),
    deniedCode: "policy.import_denied",
    ranged: false,
    describeProblem: describeDottedNameProblem,
    allowKind: "import",
  },
  denied("python.imports.block", describeDottedNameProblem),
  denied("python.calls.block", describeDottedNameProblem),
  ...numbers("limits", LIMIT_KEYS),
  ...numbers("sessions", ["tasks", "idleSeconds", "live"]),
  names("extensions.allow"),
  // Asking a person only for what is riskier permits more.
  { ...base, path: "extensions.approval", scale: createWordScale(["low", "medium", "high", "never"]) },
  ...numbers("extensions", ["concurrency", "total", "callsPerHour", "secondsPerHour"]),
  names("mcp.allow"),
  { ...base, path: "checks.required", scale: requireScale, ranged: false },
  { ...base, path: "project.environment", scale: createWordScale(["off", "auto"]) },
  {
    ...base,
    path: "sandbox.backends",
    scale: createAllowScale((ceiling, entry) => ceiling === entry),
    ranged: false,
  },
  // The level is the weakest containment that is accepted: accepting a weaker one permits more.
  { ...base, path: "sandbox.level", scale: createWordScale(SANDBOX_LEVELS), ranged: false },
  // The system's list is empty: only the owner's can name any.
  {
    ...base,
    path: "sandbox.toolchains",
    scale: createAllowScale((ceiling, entry) => ceiling === entry),
    deniedCode: "policy.path_denied",
    ranged: false,
    describeProblem: describeToolchainProblem,
  },
  { ...base, path: "sandbox.reuse", scale: switchScale, ranged: false },
  // Only the owner's policy names an image; others may go without.
  { ...base, path: "sandbox.image", scale: createChoiceScale(HOST_IMAGE), ranged: false },
];

export function findPolicyKey(path: string): PolicyKey | undefined {
  return POLICY_KEYS.find((key) => key.path === path);
}

/** The key that somebody probably meant who wrote this, with or without the section before it. */
export function findNearestKey(typed: string): string | undefined {
  const paths = POLICY_KEYS.map(({ path }) => path);
  const near = findNearestWord(typed, paths);
  if (near !== undefined) return near;
  const last = (path: string) => path.split(".").at(-1) ?? "";
  const word = findNearestWord(last(typed), paths.map(last));
  const found = word === undefined ? [] : paths.filter((path) => last(path) === word);
  return found.length === 1 ? found[0] : undefined;
}

/** The keys that may stand below a path, for messages about one that may not. */
export function listKnownKeys(path: readonly PropertyKey[]): string[] {
  const prefix = path.map(String).join(".");
  if (findPolicyKey(prefix)?.ranged) return ["default", "max"];
  const names = POLICY_KEYS.map((key) => key.path)
    .filter((key) => prefix === "" || key.startsWith(`${prefix}.`))
    .map((key) => key.slice(prefix === "" ? 0 : prefix.length + 1).split(".")[0] ?? "");
  return [...new Set(prefix === "" ? ["version", ...names] : names)];
}

/** What a document says at a path, or undefined where it is silent. */
export function readPolicyPath(document: object, path: string): unknown {
  let value: unknown = document;
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = Reflect.get(value, name);
  }
  return value;
}
