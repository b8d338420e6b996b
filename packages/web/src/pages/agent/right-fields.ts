import type { AgentGrants, RunnerInfo } from "@drydock/protocol";
import { STATE_SCOPES } from "@drydock/protocol/runner";
import { defineField, type Field, type FieldOption } from "../../forms/field.ts";
import type { Translate } from "../../words/words.ts";
import type { AgentChoices } from "./to-choices.ts";

type Right = keyof AgentGrants;

/** What a runner asks for, of what an agent can grant. Actions and state need no manifest. */
export function listAsked({ permissions, capabilities }: RunnerInfo): readonly Right[] {
  const asked: Record<Right, boolean> = {
    models: permissions.models.length > 0,
    tools: permissions.tools.length > 0,
    knowledge: permissions.knowledge_bases.length > 0,
    skills: capabilities.skill_authoring,
    history: permissions.history.length > 0,
    events: permissions.events.length > 0,
    artifacts: permissions.artifacts.length > 0,
    pluginStorage: permissions.storage.includes("plugin"),
    workspaceStorage: permissions.storage.includes("workspace"),
    actions: false,
    stateScopes: false,
  };
  return (Object.keys(asked) as Right[]).filter((right) => asked[right]);
}

/** One field for each right, with what can be granted. */
export function createRightFields(choices: AgentChoices, t: Translate): Field[] {
  const list = (name: Right, options: readonly FieldOption[], isOpen: boolean): Field =>
    defineField({
      ...{ name, kind: "choices", options, isOpen },
      ...{ label: t(`grant.${name}`), description: t(`grantText.${name}`) },
    });
  const single = (name: Right): Field =>
    defineField({ name, kind: "boolean", label: t(`grant.${name}`), description: t(`grantText.${name}`) });
  return [
    list("models", choices.models, true),
    list("tools", choices.tools, true),
    list("knowledge", choices.knowledge, false),
    list("skills", choices.skills, false),
    list("actions", choices.actions, true),
    single("history"),
    single("events"),
    single("artifacts"),
    single("pluginStorage"),
    single("workspaceStorage"),
    list(
      "stateScopes",
      STATE_SCOPES.map((value) => ({ value, label: t(`state.${value}`) })),
      false,
    ),
  ];
}
