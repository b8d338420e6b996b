import type { CapabilityTool } from "../../../app/index.ts";
import type { McpOptions } from "../mcp-context.ts";

type Json = Record<string, unknown>;

/** Names that no parameter can have: those begin with a letter. */
export const SESSION = "_session";
export const WORKSPACE = "_workspace";

/** The action's own values, and where it is done. The router checks them, so that what is wrong has our code and hint. */
export function describeInput({ inputSchema }: CapabilityTool, { workspaces = [] }: McpOptions) {
  const session = {
    type: "string",
    description:
      "A conversation: earlier responses of it can be used in values, as {{ last.text }} or {{ last.json.path }}. Results say which it was",
  };
  const workspace = { type: "string", description: describeWorkspace(workspaces) };
  return shown({
    ...inputSchema,
    properties: {
      ...(inputSchema.properties as Json),
      [SESSION]: session,
      ...(workspaces.length > 0 ? { [WORKSPACE]: workspace } : {}),
    },
  });
}

function describeWorkspace(workspaces: readonly string[] | "any"): string {
  const which = workspaces === "any" ? "A directory" : `A directory of ${workspaces.join(", ")} (\`.\`: the first)`;
  return `${which} whose files it may use. It is never changed: run_apply delivers. Default: a directory of its own`;
}

/** A CapabilityOutcome, and `ok` and `error` as in all results. */
export const OUTPUT = shown({
  type: "object",
  properties: {
    ok: { type: "boolean" },
    error: {
      type: ["object", "null"],
      properties: { code: { type: "string" }, message: { type: "string" }, hint: { type: "string" } },
    },
    type: { enum: ["capability_result", "capability_error"] },
    runId: { type: ["string", "null"], description: "Names the run in the ledger" },
    session: { type: "string" },
    output: { type: "string" },
    json: { description: "The output as JSON, where it is that" },
    truncated: { type: "boolean" },
    responseId: { type: ["string", "null"] },
    metadata: { type: "object" },
    notes: { type: "array", items: { type: "string" } },
    artifacts: { type: "array", items: { type: "object" } },
    shortened: { type: "array", items: { type: "string" } },
  },
  required: ["ok", "error"],
});

/** A JSON Schema as the library of the protocol wants it: shown, and not held against anything. */
function shown(schema: Json) {
  const describe = () => schema;
  return {
    "~standard": {
      version: 1 as const,
      vendor: "drydock",
      jsonSchema: { input: describe, output: describe },
      validate: (value: unknown) => ({ value: value as Json }),
    },
  };
}
