import * as z from "zod";

/** What an agent of the Agent Client Protocol says about a call that it asks permission for. It is the agent's own word. */
export const PermissionRequest = z.object({
  title: z.string().describe("What the agent calls it."),
  kind: z.string().describe("`edit`, `execute`, `fetch` and so on, as the agent says; `other` where it says nothing."),
  paths: z.array(z.string()).describe("Files that it names."),
  command: z.string().nullable().describe("The command that it names."),
  url: z.string().nullable().describe("The address that it names."),
});
export type PermissionRequest = z.infer<typeof PermissionRequest>;

/** How it was answered. */
export const PermissionDecision = PermissionRequest.extend({
  decision: z.enum(["allowed", "denied", "unanswered"]),
  by: z.enum(["policy", "settings", "person", "nobody"]).describe("Who decided."),
  reason: z.string().describe("Why, in one sentence."),
});
export type PermissionDecision = z.infer<typeof PermissionDecision>;
