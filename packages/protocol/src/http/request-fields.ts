import * as z from "zod";
import { PolicyDocument } from "../policy.ts";

// Fields that several requests share, so that they mean the same in each.

export const runIdParam = z.string().describe("Id of the run, `run_…`, as results and `GET /runs` give it.");
export const workspaceField = z.string().describe("A directory of the server's machine, as an absolute path.");
export const policyField = PolicyDocument.optional().describe(
  "Narrows the policy for this request, or asks for more up to its ceiling.",
);
export const modelField = z
  .string()
  .min(1)
  .optional()
  .describe("The model as `provider/name`, several with commas as fallbacks. Default: as the server is configured.");
export const unsafeField = z
  .boolean()
  .optional()
  .describe("True: turn off the Python guard (import and call lists). The sandbox stays. Default: false.");
export const acceptedField = z.literal(true).describe("True: the code will read it.");
/** Input for code that runs. */
export const InputBody = z.strictObject({
  text: z.string().optional().describe("The next line, with or without its line break."),
  end: z.literal(true).optional().describe("True: the input ends, and the code reads no more than was sent before."),
});
export const limitField = z.coerce.number().int().min(1).max(1000).optional();
export const cursorField = z.string().optional().describe("`cursor` of the page before. Default: the first page.");
export const nextCursor = z.string().nullable().describe("Pass it as `cursor` to get the next page; null on the last.");
export const byField = z.string().min(1).max(128).optional().describe("Who decides, for the record. Default: `owner`.");
export const reasonField = z.string().optional().describe("Why it is decided so, for the record.");
export const budgetField = z
  .strictObject({
    tokens: z.number().int().positive().optional().describe("Tokens of input and output together."),
    usd: z.number().positive().optional().describe("Cost in US dollars."),
  })
  .optional()
  .describe("The most that model calls of this run may use. Default: as the server is configured.");

/** A session as it is named in requests: as in results. The name from before is still accepted. */
export const sessionFields = {
  sessionId: z.string().optional().describe("Id of an open session, `ses_…`, as `POST /sessions` gives it."),
  session: z
    .string()
    .optional()
    .meta({ description: "The same as `sessionId`: the name that it had before.", deprecated: true }),
};

/** One of the values, or several with commas. */
export function listField(values: readonly string[]) {
  const any = values.join("|");
  return z.string().regex(new RegExp(`^(${any})(,(${any}))*$`), `takes ${values.join(", ")}; several with commas`);
}
