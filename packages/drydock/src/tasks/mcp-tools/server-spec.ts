import { DrydockError, explainIssues, McpServerSpec } from "@drydock/protocol";

export function readServerSpec(value: unknown): McpServerSpec {
  const read = McpServerSpec.safeParse(value);
  if (read.success) return read.data;
  const problems = explainIssues(read.error.issues, "the server");
  const hint = 'As in { name: "files", command: ["node", "server.js"] } or { name: "wiki", url: "https://…/mcp" }.';
  throw new DrydockError("input.invalid", `This MCP server can't be used: ${problems.join("; ")}.`, hint, { problems });
}
