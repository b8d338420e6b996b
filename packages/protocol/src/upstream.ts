import * as z from "zod";
import { ModelBudget } from "./config.ts";

/** How a server is spoken to: what its errors look like, and where it says how many tokens it counted. */
export const UpstreamApi = z.enum(["openai", "anthropic", "gemini", "github", "other"]);
export type UpstreamApi = z.infer<typeof UpstreamApi>;

/** An upstream as people see it. */
export const UpstreamInfo = z.object({
  name: z.string().describe("Its name in config.yaml."),
  api: UpstreamApi.describe("How it is spoken to. Decides on the shape of errors, and on how tokens are counted."),
  baseUrl: z.string().describe("Where its requests go."),
  address: z.string().describe("What runs ask for: `http://NAME.dock`."),
  keySource: z.string().nullable().describe("Where its key comes from, in words; null: it needs none."),
  hasKey: z.boolean().describe("True if its key is there, or it needs none. The key itself is never shown."),
  allow: z.array(z.string()).describe("What runs may ask for: `METHOD /path` each."),
  budget: ModelBudget.describe("What one run may use of it."),
  allowed: z.boolean().describe("True if the owner's policy lets runs ask for it."),
  problem: z.string().nullable().describe("Why runs can't use it as it is configured; null if they can."),
});
export type UpstreamInfo = z.infer<typeof UpstreamInfo>;

/** What an upstream answered to a request that costs nothing. */
export const TestedUpstream = z.object({
  name: z.string().describe("Its name in config.yaml."),
  ok: z.boolean().describe("True if it answered, and took the key."),
  status: z.number().int().nullable().describe("The HTTP status of its answer; null: there was none."),
  durationMs: z.number().describe("How long the answer took, in milliseconds."),
  problem: z.string().nullable().describe("What is wrong, in one sentence; null if nothing is."),
});
export type TestedUpstream = z.infer<typeof TestedUpstream>;
