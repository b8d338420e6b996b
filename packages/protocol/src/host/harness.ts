import * as z from "zod";

/** What the owner agrees to who enables an agent that works in a directory of the machine. */
export const HarnessPlan = z.object({
  agent: z.string().describe("Name of the agent."),
  runner: z.string().describe("Id of its runner."),
  enabled: z.boolean().describe("Whether the owner has agreed to exactly this."),
  hash: z.string().describe("Stands for all of it. Another one means that something has changed."),
  directory: z.string().describe("The directory that it works on, as a layer."),
  command: z.array(z.string()).describe("The program that is started in the sandbox."),
  hosts: z.array(z.string()).describe("Hosts that it may reach."),
  upstreams: z.array(z.string()).describe("Services whose keys stay outside."),
  variables: z.array(z.string()).describe("Names of variables that it gets."),
  permissions: z
    .enum(["ask", "deny", "allow"])
    .describe("How its requests for permission are answered that the policy does not deny."),
  checks: z.array(z.string()).describe("Checks of what it changes, beside those of the policy and the directory."),
  deliver: z.enum(["keep", "if-passed"]).describe("What becomes of its changes."),
  tools: z.array(z.string()).describe("Tools of the host that it may call."),
  mcpServers: z
    .array(
      z.object({
        name: z.string().describe("As its tools are prefixed."),
        at: z.string().describe("Its command or its address."),
      }),
    )
    .describe("MCP servers that the host calls for it."),
  skills: z
    .array(
      z.object({
        name: z.string().describe("As it was granted."),
        path: z.string().describe("Where it lies on this machine."),
        sha256: z.string().describe("Of all of its files."),
        version: z.string().nullable().describe("As its SKILL.md says."),
      }),
    )
    .describe("Skills that it finds read-only below /opt/skills."),
  risks: z.array(z.string()).describe("What to think of before agreeing."),
});
export type HarnessPlan = z.infer<typeof HarnessPlan>;
