import type { FieldOption } from "../../forms/field.ts";
import type { Choices } from "../../forms/read-config-fields.ts";
import type { Translate } from "../../words/words.ts";

/** What the server says that there is. */
interface Offered {
  models: readonly string[];
  defaults: readonly string[];
  tools: readonly { name: string; origin: "sandbox" | "box" | "skills" | "extension"; description: string | null }[];
  actions: readonly { name: string; description: string }[];
  knowledge: readonly { name: string; documents: number }[];
  skills: readonly { name: string; description: string; problem: string | null }[];
  secrets: readonly string[] | null;
}

export interface AgentChoices extends Choices {
  tools: readonly FieldOption[];
  actions: readonly FieldOption[];
  skills: readonly FieldOption[];
  /** What an agent gets whose settings name no model. */
  defaults: readonly string[];
  maySetSecrets: boolean;
}

/** The same as options of a form. */
export function toChoices(offered: Offered, t: Translate): AgentChoices {
  const tools = offered.tools.map(({ name, origin, description }): FieldOption => {
    return { value: name, label: name, text: description ?? t(`origin.${origin}`) };
  });
  return {
    models: offered.models.map((value) => ({ value, label: value })),
    defaults: offered.defaults,
    tools,
    actions: offered.actions.map(({ name, description }) => ({ value: name, label: name, text: description })),
    knowledge: offered.knowledge.map(({ name, documents }) => ({
      ...{ value: name, label: name, text: t("forms.documents", { count: documents }) },
    })),
    skills: offered.skills.map(({ name, description, problem }) => ({
      ...{ value: name, label: name, text: problem ?? description },
    })),
    secrets: (offered.secrets ?? []).map((value) => ({ value, label: value })),
    lists: { tools },
    maySetSecrets: offered.secrets !== null,
  };
}
