import { countWord } from "@drydock/protocol";
import type { McpTestResult } from "../../../tasks/index.ts";
import { cleanText } from "../../terminal/clean-text.ts";
import type { Colors } from "../../terminal/terminal.ts";

const MAX_DESCRIPTION = 80;

export function renderMcpTest({ server, protocol, connectMs, tools, leftOut }: McpTestResult, colors: Colors): string {
  const who = cleanText(`${server.name} ${server.version}`.trim()) || "The server";
  const width = Math.max(0, ...tools.map(({ name }) => name.length));
  const lines = tools.map(({ name, description }) => {
    const [first = ""] = description.split("\n");
    return `  ${name.padEnd(width)}  ${colors.dim(cleanText(first).slice(0, MAX_DESCRIPTION))}`;
  });
  return [
    `${colors.green("✓")} ${who} works: MCP ${protocol}, connected in ${connectMs} ms, ${countWord(tools.length, "tool")}`,
    ...lines,
    ...leftOut.map(({ name, reason }) => `  ${colors.yellow("left out")} ${cleanText(name)}: ${reason}`),
    "",
  ].join("\n");
}
