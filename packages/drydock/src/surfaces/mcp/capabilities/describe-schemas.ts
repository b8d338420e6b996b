import type { CapabilityTool } from "@drydock/protocol";
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
      "Name of a conversation, as `session` of a result gives it: values can use its responses as {{ last.text }} or {{ last.json.path }}",
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
  const which = workspaces === "any" ? "A directory" : `A directory in ${workspaces.join(", ")} (\`.\`: the first)`;
  return `${which} whose files the action may use. It is never changed: run_apply delivers. Default: an empty one`;
}

/** A CapabilityOutcome, and `ok` and `error` as in all results. */
export const OUTPUT = shown({
  type: "object",
  properties: {
    ok: { type: "boolean", description: "True if the action was done" },
    error: { type: ["object", "null"], description: "Why it failed: code, message, hint. Null if it did not" },
    type: { enum: ["capability_result", "capability_error"], description: "A result or an error" },
    runId: { type: ["string", "null"], description: "Id of the run in the ledger" },
    session: { type: "string", description: "The conversation, for `_session` of the next call" },
    output: { type: "string", description: "What the action answered" },
    json: { description: "The output as JSON, where it is JSON" },
    truncated: { type: "boolean", description: "True if output holds only the beginning" },
    responseId: { type: ["string", "null"], description: "Id of the kept response" },
    metadata: { type: "object", description: "Exit status, HTTP status and the like" },
    notes: { type: "array", items: { type: "string" }, description: "Remarks that are not errors" },
    artifacts: { type: "array", items: { type: "object" }, description: "Files that the action made" },
    shortened: { type: "array", items: { type: "string" }, description: "Fields that were cut" },
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
