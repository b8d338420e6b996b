import { DrydockError, explainIssues, PolicyDocument } from "@drydock/protocol";
import * as z from "zod";

const seconds = z.number().positive().max(3600);

/** An MCP server whose tools an agent may use: a program that runs in the sandbox, or an address. */
export const McpServerSpec = z
  .strictObject({
    /** Stands before the names of its tools. */
    name: z.string().regex(/^[A-Za-z][A-Za-z0-9-]{0,30}$/, "a letter, then letters, digits or '-', 31 at most"),
    /** Program and arguments of a server that speaks over stdin and stdout. */
    command: z.array(z.string().min(1)).min(1).optional(),
    /** For `command`: a directory that the program works on. It is never changed. */
    workspace: z.string().optional(),
    /** For `command`: a policy request, such as `network.allow`. Without it the program has no network. */
    policy: PolicyDocument.optional(),
    /** The address of a server that speaks over HTTP. Its host must be one that the policy allows. */
    url: z
      .url({ protocol: /^https?$/, error: "an http or https address is needed" })
      .refine((url) => !/^https?:\/\/[^/]*@/.test(url), "user and password can't stand in the address: use headers")
      .optional(),
    /** For `url`. Default: `http`, and `sse` where the server does not know it. */
    transport: z.enum(["http", "sse"]).optional(),
    /** For `url`: sent with each request, an Authorization for example. */
    headers: z.record(z.string(), z.string()).optional(),
    /** The tools that may be used, as patterns such as `read_*`. Default: all. */
    tools: z.array(z.string().min(1)).optional(),
    /** Tools that may not be used, whatever `tools` says. */
    exclude: z.array(z.string().min(1)).optional(),
    /**
     * `all`: each tool is shown to the model; `search`: one tool to look for tools and one to call them, which saves
     * room. Default: `all` up to 40 tools.
     */
    show: z.enum(["all", "search"]).optional(),
    /** Until the server has answered for the first time. Default 30. */
    startSeconds: seconds.optional(),
    /** For each call. Default 60. */
    timeoutSeconds: seconds.optional(),
  })
  .refine(({ command, url }) => (command === undefined) !== (url === undefined), "either `command` or `url` is needed");
export type McpServerSpec = z.infer<typeof McpServerSpec>;

export function readServerSpec(value: unknown): McpServerSpec {
  const read = McpServerSpec.safeParse(value);
  if (read.success) return read.data;
  const problems = explainIssues(read.error.issues, "the server");
  const hint = 'As in { name: "files", command: ["node", "server.js"] } or { name: "wiki", url: "https://…/mcp" }.';
  throw new DrydockError("input.invalid", `This MCP server can't be used: ${problems.join("; ")}.`, hint, { problems });
}
