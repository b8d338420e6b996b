import type { Runner } from "@drydock/runner-sdk";

const label = (en_US: string) => ({ en_US });
const choice = (name: string, en_US: string) => ({ name, label: label(en_US) });

/** The host reads the settings itself, and starts nothing that its owner has not enabled. */
export const manifest: Runner["manifest"] = {
  name: "default",
  label: "ACP agent",
  description: "Drives an agent that speaks the Agent Client Protocol, in the sandbox, on a layer of a directory.",
  capabilities: { streaming: true, tool_calling: true, multimodal_input: true, interrupt: true },
  permissions: {
    ...{ harness: ["run"], artifacts: ["metadata", "read"], tools: ["detail", "call"], history: ["page", "search"] },
  },
  config_schema: [
    {
      ...{ name: "command", type: "array[string]", label: label("Program"), required: true },
      description: label("The agent and its arguments, such as claude-agent-acp."),
    },
    {
      ...{ name: "directory", type: "string", label: label("Directory"), required: true },
      description: label("The absolute path of the directory that it works on. Only a layer of it is changed."),
    },
    {
      ...{ name: "permissions", type: "select", label: label("Permissions"), default: "ask" },
      description: label("What becomes of its requests for permission that the policy does not deny."),
      options: [choice("ask", "a person decides"), choice("deny", "denied"), choice("allow", "granted once")],
    },
    {
      ...{ name: "checks", type: "array[string]", label: label("Checks"), default: [] },
      description: label("Commands that judge what it changed, beside those of the policy and of the directory."),
    },
    {
      ...{ name: "deliver", type: "select", label: label("Delivery"), default: "keep" },
      options: [choice("keep", "changes are kept"), choice("if-passed", "changes are applied if the checks pass")],
    },
    { name: "hosts", type: "array[string]", label: label("Hosts that it may reach, HOST:PORT"), default: [] },
    { name: "upstreams", type: "array[string]", label: label("Services whose keys stay outside"), default: [] },
    {
      ...{ name: "environment", type: "array[string]", label: label("Variables"), default: [] },
      description: label("NAME=VALUE, or the NAME of a variable that the policy allows."),
    },
    {
      ...{ name: "skills", type: "array[string]", label: label("Skills"), default: [] },
      description: label("Absolute paths of folders with a SKILL.md. The agent finds them below /opt/skills."),
    },
  ],
};
