import * as z from "zod";

export const POLICY_SOURCES = ["system", "home", "workspace", "preset", "request"] as const;

const origin = {
  source: z
    .enum(POLICY_SOURCES)
    .describe("Who set the value: Drydock, the owner, the workspace, a preset of the caller, or the request."),
  where: z.string().describe("File and line that set it, such as `policy.yaml:3`; empty for the system's values."),
};
/** One value of a policy, and where it comes from. */
export const PolicyRow = z.object({
  key: z.string().describe("Key of the policy with dots, such as `limits.wallSeconds`."),
  value: z.unknown().describe("The value that holds when a request asks for nothing else."),
  ceiling: z.unknown().describe("The most that a request may ask for."),
  ...origin,
  entries: z
    .array(z.object({ value: z.string().describe("One entry of the list."), ...origin }))
    .optional()
    .describe("For a list whose entries come from several sources: each entry with its own."),
});

export type PolicyRow = z.infer<typeof PolicyRow>;

export const QUESTION_KINDS = ["read", "write", "command", "host", "import"] as const;

/** "Would this be allowed?" */
export const PolicyQuestion = z.strictObject({
  kind: z
    .enum(QUESTION_KINDS)
    .describe(
      "`read`, `write`: a path below the workspace; `command`: a line of bash; `host`: HOST:PORT; `import`: a Python module.",
    ),
  value: z
    .string()
    .min(1)
    .max(10_000)
    .describe("What is asked about, such as `src/main.ts`, `git push` or `example.org:443`."),
});
export type PolicyQuestion = z.infer<typeof PolicyQuestion>;

export const PolicyAnswer = z.object({
  verdict: z
    .enum(["allowed", "denied", "unsure"])
    .describe("`unsure`: the policy alone does not decide it; the hint says how to find out."),
  key: z.string().describe("The key of the policy that decides, such as `network.allow`."),
  entry: z.string().nullable().describe("The entry of its list that decides; null if none fits, or it is no list."),
  ...origin,
  reason: z.string().nullable().describe("What of it is denied, where it has several parts; null if it is all."),
  hint: z.string().nullable().describe("Who can change that, and how; null if it is allowed."),
});
export type PolicyAnswer = z.infer<typeof PolicyAnswer>;

/** The owner's policy as it is written. */
export const HomePolicyText = z.object({
  file: z.string().describe("The file that holds it."),
  text: z.string().describe("What it holds; empty where there is no file."),
  sha256: z.string().nullable().describe("Hash of the text; null where there is no file."),
});
export type HomePolicyText = z.infer<typeof HomePolicyText>;

export const HomePolicyCheck = z.object({
  ok: z.boolean().describe("Whether it is a valid policy."),
  problems: z
    .array(
      z.object({
        line: z.number().int().describe("The line, counted from 1."),
        column: z.number().int().describe("The column, counted from 1."),
        message: z.string().describe("What is wrong."),
        hint: z.string().nullable().describe("What to do; null for those after the first."),
      }),
    )
    .describe("What is wrong, in the order of the file."),
  rows: z
    .array(PolicyRow)
    .describe("What would hold for runs, and where it would come from; empty if it is not valid."),
});
export type HomePolicyCheck = z.infer<typeof HomePolicyCheck>;
