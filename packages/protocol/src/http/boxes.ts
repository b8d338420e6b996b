import * as z from "zod";
import { BOX_FILE_BYTES, BoxInfo } from "../host/box.ts";
import { SkillInfo, SkillName } from "../host/skill.ts";
import { defineOperation } from "./operation.ts";

const tag = "boxes";
const params = z.object({ id: z.string().describe("Id of the box, `box_…`, as `GET /boxes` gives it.") });
const path = z.string().min(1).max(4096).describe("Path in the box, relative to its directory.");
const skillParams = z.object({ name: SkillName.describe("Name of the skill.") });

/** Sandboxes that last for agents of the host, their files, and skills. */
export const BOXES = {
  listBoxes: defineOperation({
    method: "get",
    path: "/boxes",
    tag,
    client: "boxes.list",
    summary: "Boxes that are open",
    description:
      "Lists the sandboxes that last for agents of the host, as far as this server has them open. A box is opened by the first call of one of its tools. A terminal in one is a WebSocket at `/boxes/{id}/terminal?columns=80&rows=24`.",
    scope: "read",
    response: z.object({ boxes: z.array(BoxInfo).describe("Those that are open.") }),
  }),
  closeBox: defineOperation({
    method: "delete",
    path: "/boxes/{id}",
    tag,
    client: "boxes.close",
    summary: "End a box with everything in it",
    description: "Ends all processes of a box. Its files are kept: the next box of the same scope begins with them.",
    scope: "run",
    params,
    response: BoxInfo,
  }),
  listBoxFiles: defineOperation({
    method: "get",
    path: "/boxes/{id}/files",
    tag,
    client: "boxes.files",
    summary: "What a directory of a box holds",
    description: "Lists a directory of an open box, at most 5,000 entries. Links are listed, and not followed.",
    scope: "run",
    params,
    query: z.strictObject({ path: path.optional().describe("The directory. Default: the box's own.") }),
    response: z.object({
      path: z.string().describe("Path of the directory in the box."),
      entries: z
        .array(
          z.object({
            name: z.string().describe("Name of the entry, without its directory."),
            kind: z.enum(["file", "directory", "link", "other"]).describe("What it is."),
            size: z.number().describe("Its size in bytes."),
            modified: z.number().describe("When it was changed, in milliseconds since 1970."),
          }),
        )
        .describe("What the directory holds, by name."),
    }),
  }),
  readBoxFile: defineOperation({
    method: "get",
    path: "/boxes/{id}/file",
    tag,
    client: "boxes.read",
    summary: "Bytes of a file in a box",
    description: `Reads a file of an open box, or a range of it: at most ${BOX_FILE_BYTES} bytes at once.`,
    scope: "run",
    params,
    query: z.strictObject({
      path,
      offset: z.coerce.number().int().min(0).optional().describe("The first byte. Default: 0."),
      length: z.coerce
        .number()
        .int()
        .min(0)
        .max(BOX_FILE_BYTES)
        .optional()
        .describe("How many bytes. Default: the most."),
    }),
    response: z.object({
      size: z.number().describe("Size of the whole file in bytes."),
      offset: z.number().describe("The first byte that was read."),
      base64: z.string().describe("The bytes, in base64."),
    }),
  }),
  writeBoxFile: defineOperation({
    method: "post",
    path: "/boxes/{id}/file",
    tag,
    client: "boxes.write",
    summary: "Write a file into a box",
    description: "Writes a file of an open box, with the directories that it needs. A file that is there is replaced.",
    scope: "run",
    params,
    body: z.strictObject({ path, base64: z.base64().max(8_000_000).describe("The whole content, in base64.") }),
    response: z.object({
      path: z.string().describe("Path of the file in the box."),
      bytes: z.number().describe("Size of the file in bytes."),
      created: z.boolean().describe("True if it was not there before."),
    }),
  }),
  deleteBoxFile: defineOperation({
    method: "delete",
    path: "/boxes/{id}/file",
    tag,
    client: "boxes.remove",
    summary: "Delete a file of a box",
    description: "Deletes a file, a link or an empty directory of an open box.",
    scope: "run",
    params,
    query: z.strictObject({ path }),
    response: z.object({ path: z.string().describe("What was deleted.") }),
  }),
  listSkills: defineOperation({
    method: "get",
    path: "/skills",
    tag,
    client: "skills.list",
    summary: "Skills that agents can be granted",
    description: "Lists the skills of the home and of extensions. One that can't be used has a `problem`.",
    scope: "read",
    response: z.object({ skills: z.array(SkillInfo).describe("The skills, by name.") }),
  }),
  showSkill: defineOperation({
    method: "get",
    path: "/skills/{name}",
    tag,
    client: "skills.show",
    summary: "A skill with its instructions",
    description: "Returns a skill with what its SKILL.md tells agents.",
    scope: "read",
    params: skillParams,
    response: SkillInfo.extend({ instructions: z.string().describe("SKILL.md without its fields.") }),
  }),
  addSkill: defineOperation({
    method: "post",
    path: "/skills",
    tag,
    client: "skills.add",
    summary: "Add a folder of the server as a skill",
    description:
      "Copies a folder of the machine that the server runs on into the home. No agent has it until it is granted.",
    scope: "admin",
    body: z.strictObject({
      path: z.string().startsWith("/", "an absolute path is needed").max(4096).describe("The folder with a SKILL.md."),
    }),
    response: SkillInfo,
  }),
  removeSkill: defineOperation({
    method: "delete",
    path: "/skills/{name}",
    tag,
    client: "skills.remove",
    summary: "Remove a skill",
    description: "Removes a skill from the home. Boxes that are open keep their copy until they end.",
    scope: "admin",
    params: skillParams,
    response: SkillInfo,
  }),
} as const;
