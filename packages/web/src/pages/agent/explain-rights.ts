import type { AgentGrants, RunnerInfo } from "@drydock/protocol";
import { type Field, type FormValues, isEmpty } from "../../forms/field.ts";
import type { Key } from "../../words/words.ts";
import { listAsked } from "./right-fields.ts";

export interface RightLine {
  right: keyof AgentGrants;
  word: Key;
  isGranted: boolean;
  /** Of what; empty where it is one thing, or nothing. */
  names: readonly string[];
}

const WORDS: Readonly<Record<keyof AgentGrants, Key>> = {
  models: "right.models",
  tools: "right.tools",
  knowledge: "right.knowledge",
  skills: "right.skills",
  actions: "right.actions",
  history: "right.history",
  events: "right.events",
  artifacts: "right.artifacts",
  pluginStorage: "right.pluginStorage",
  workspaceStorage: "right.workspaceStorage",
  stateScopes: "right.state",
};

/** What the runs of an agent may do as the form stands: what its runner asks for, of that what is granted. */
export function explainRights(
  runner: RunnerInfo,
  fields: readonly Field[],
  { config, grants, defaults }: { config: FormValues; grants: FormValues; defaults: readonly string[] },
): RightLine[] {
  const asked = new Set(listAsked(runner));
  const selected = (kinds: readonly Field["kind"][]) =>
    fields.filter(({ kind }) => kinds.includes(kind)).flatMap(({ name }) => listNames(config[name]));
  const named = (right: keyof AgentGrants) => listNames(grants[right]);
  const models = [...new Set([...selected(["model", "models"]), ...named("models")])];
  const hasModelField = fields.some(({ kind }) => kind === "models" || kind === "model");
  const names: Partial<Record<keyof AgentGrants, readonly string[]>> = {
    models: models.length === 0 && hasModelField ? defaults : models,
    knowledge: [...new Set([...selected(["choices"]), ...named("knowledge")])],
    tools: named("tools"),
    skills: named("skills"),
    actions: named("actions"),
    stateScopes: named("stateScopes"),
  };
  const isShown = (right: keyof AgentGrants) => asked.has(right) || right === "stateScopes" || right === "actions";
  return (Object.keys(WORDS) as (keyof AgentGrants)[]).filter(isShown).flatMap((right): RightLine[] => {
    const list = names[right];
    const isGranted = list === undefined ? grants[right] === true : list.length > 0;
    // Who asks for nothing there misses nothing.
    if (!isGranted && !asked.has(right)) return [];
    return [{ right, word: WORDS[right], isGranted, names: list ?? [] }];
  });
}

/** Names in a list, a single one, or a first choice with fallbacks. */
function listNames(value: unknown): string[] {
  if (typeof value === "string") return isEmpty(value) ? [] : [value];
  if (Array.isArray(value)) return value.flatMap(listNames);
  if (typeof value !== "object" || value === null) return [];
  const { primary, fallbacks } = value as Record<string, unknown>;
  return [...listNames(primary), ...listNames(fallbacks)];
}
