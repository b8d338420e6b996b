import type { AgentGrants } from "@drydock/protocol";
import type { Key } from "../../words/words.ts";

interface Right {
  word: Key;
  /** Of what: models, tools, knowledge bases. Empty where it is one thing. */
  names: readonly string[];
}

/** What an agent's runs may use at most, one line each. Its runner gets of that what it asks for. */
export function listRights(grants: AgentGrants): Right[] {
  const named = [
    { word: "right.models", names: grants.models },
    { word: "right.tools", names: grants.tools },
    { word: "right.actions", names: grants.actions },
    { word: "right.knowledge", names: grants.knowledge },
    { word: "right.skills", names: grants.skills },
    { word: "right.state", names: grants.stateScopes },
  ] as const;
  const single = [
    { word: "right.history", isGranted: grants.history || grants.events },
    { word: "right.artifacts", isGranted: grants.artifacts },
    { word: "right.pluginStorage", isGranted: grants.pluginStorage },
    { word: "right.workspaceStorage", isGranted: grants.workspaceStorage },
  ] as const;
  return [
    ...named.filter(({ names }) => names.length > 0),
    ...single.filter(({ isGranted }) => isGranted).map(({ word }) => ({ word, names: [] })),
  ];
}
