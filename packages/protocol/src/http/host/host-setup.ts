import * as z from "zod";
import { HostChoices } from "../../host/index.ts";
import { defineOperation } from "../operation.ts";

const tag = "host";

/** Of a file in a form: what the setting holds, and what people read. */
const ConfigFile = z.object({
  file_key: z.string().describe("What the setting names. A runner reads the content by it, and never gets a path."),
  file_name: z.string().describe("Its name, without a path."),
  mime_type: z.string().nullable().describe("Its type, such as `text/csv`; null where it is not known."),
});

/** What whoever fills in the form of an agent can choose from, and files for it. */
export const HOST_SETUP = {
  hostChoices: defineOperation({
    method: "get",
    path: "/host/choices",
    tag,
    client: "host.choices",
    summary: "What the settings of agents can name: models, tools, actions",
    description:
      "Lists models of providers that can be used, tools that can be granted, and actions that are registered. Knowledge bases, skills and secrets have lists of their own.",
    scope: "read",
    response: HostChoices,
  }),
  addConfigFile: defineOperation({
    method: "post",
    path: "/host/files",
    tag,
    client: "host.files.add",
    summary: "Keep a file for the settings of agents",
    description:
      "Keeps a file of at most 10 MB. The answer is the value of a setting of the type `file`, or an entry of one of the type `array[file]`.",
    scope: "admin",
    body: z.strictObject({
      name: z.string().min(1).max(255).describe("Name of the file."),
      content_base64: z.base64().describe("Its bytes, in Base64."),
      mime: z.string().max(255).optional().describe("Its type. Default: by the ending of its name."),
    }),
    status: 201,
    response: ConfigFile,
  }),
} as const;
