import * as z from "zod";

export const SkillName = z
  .string()
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, "small letters, digits and single dashes between them")
  .max(64);

/** What stands at the beginning of a SKILL.md. Other fields are for other programs. */
export const SkillFrontMatter = z.looseObject({
  name: SkillName.describe("The skill's name, which is that of its folder as well."),
  description: z.string().trim().min(1).max(1024).describe("What it does, and when it is of use. Models read it."),
  version: z
    .union([z.string().max(64), z.number().transform(String)])
    .optional()
    .describe("The author's version."),
});
export type SkillFrontMatter = z.infer<typeof SkillFrontMatter>;

export const SKILL_ORIGINS = ["installed", "registered", "workspace", "extension"] as const;

/** A folder with instructions and files that agents can use. */
export const SkillInfo = z.object({
  name: SkillName.describe("Name of the skill, and of its folder."),
  description: z.string().describe("What it does, and when it is of use."),
  version: z.string().nullable().describe("The author's version; null where it names none."),
  origin: z
    .enum(SKILL_ORIGINS)
    .describe(
      "Where it comes from: added by the owner, registered by an agent, or found in a workspace or an extension.",
    ),
  sha256: z.string().describe("Hash of all its files."),
  files: z.number().int().describe("How many files it has."),
  bytes: z.number().int().describe("Size of all its files in bytes."),
  problem: z.string().nullable().describe("Why it can't be used; null where it can."),
});
export type SkillInfo = z.infer<typeof SkillInfo>;
