import * as z from "zod";
import { PolicyDocument } from "../policy.ts";

const seconds = z.number().positive().max(3600);

const settings = {
  name: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]{0,30}$/, "a letter, then letters, digits or '-', 31 at most")
    .describe("Stands before the names of its tools."),
  command: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe("Program and arguments of a server that speaks over stdin and stdout."),
  workspace: z
    .string()
    .optional()
    .describe("For `command`: a directory that the program works on. It is never changed."),
  policy: PolicyDocument.optional().describe(
    "For `command`: a policy request, such as `network.allow`. Without it the program has no network.",
  ),
  url: z
    .url({ protocol: /^https?$/, error: "an http or https address is needed" })
    .refine((url) => !/^https?:\/\/[^/]*@/.test(url), "user and password can't stand in the address: use headers")
    .optional()
    .describe("The address of a server that speaks over HTTP. Its host must be one that the policy allows."),
  transport: z
    .enum(["http", "sse"])
    .optional()
    .describe("For `url`. Default: `http`, and `sse` where the server does not know it."),
  tools: z
    .array(z.string().min(1))
    .optional()
    .describe("The tools that may be used, as patterns such as `read_*`. Default: all."),
  exclude: z.array(z.string().min(1)).optional().describe("Tools that may not be used, whatever `tools` says."),
  startSeconds: seconds.optional().describe("Until the server has answered for the first time. Default 30."),
  timeoutSeconds: seconds.optional().describe("For each call. Default 60."),
};

const hasOneWay = ({ command, url }: { command?: unknown; url?: unknown }) =>
  (command === undefined) !== (url === undefined);
const NEEDS_ONE_WAY = "either `command` or `url` is needed";

/** An MCP server whose tools an agent may use: a program that runs in the sandbox, or an address. */
export const McpServerSpec = z
  .strictObject({
    ...settings,
    /** For `url`: sent with each request, an Authorization for example. */
    headers: z.record(z.string(), z.string()).optional(),
    /**
     * `all`: each tool is shown to the model; `search`: one tool to look for tools and one to call them, which saves
     * room. Default: `all` up to 40 tools.
     */
    show: z.enum(["all", "search"]).optional(),
  })
  .refine(hasOneWay, NEEDS_ONE_WAY);
export type McpServerSpec = z.infer<typeof McpServerSpec>;

/** The same for an agent of the host, whose settings are on record: it has no headers, which hold secrets. */
export const AgentMcpServer = z
  .strictObject({
    ...settings,
    inBox: z
      .boolean()
      .optional()
      .describe(
        "For `command`: true runs the program in the agent's box, with its files and as long as it lasts. Default: in a sandbox of its own, which ends with the run.",
      ),
    enabled: z.boolean().optional().describe("False: its tools say that it is switched off. Default: true."),
  })
  .refine(hasOneWay, NEEDS_ONE_WAY)
  .refine(
    ({ inBox, command, workspace, policy }) =>
      inBox !== true || (command !== undefined && workspace === undefined && policy === undefined),
    "a server in the box has `command`, and the workspace and the policy of the box",
  );
export type AgentMcpServer = z.infer<typeof AgentMcpServer>;
