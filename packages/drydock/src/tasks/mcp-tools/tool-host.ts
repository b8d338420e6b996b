import type { DrydockError, ExecResult, PolicyDocument } from "@drydock/protocol";
import type { CapabilityHost } from "../capability-tools/capability-host.ts";
import type { ConversationSandbox } from "../sandbox-tools/conversation-sandbox.ts";

export interface ServerStartRequest {
  command: string[];
  workspace?: string;
  policy?: PolicyDocument;
  stdin: AsyncIterable<string>;
  signal: AbortSignal;
  onOutput(chunk: { stream: "stdout" | "stderr"; text: string }): void;
}

export interface AdmittedServer {
  /** Null where the tool may be used; else why not. */
  refuseTool(tool: string): DrydockError | null;
}

/** What tools that bring programs or addresses of their own need of a dock. The policy of the call holds for both. */
export interface ToolHost {
  /** Runs a program in the sandbox. It resolves with `ok: false` for whatever the program, the policy or a limit did. */
  exec(request: ServerStartRequest): Promise<Pick<ExecResult, "error">>;
  /**
   * What the policy lets the call use of an MCP server. Rejects with `policy.command_denied` where that is nothing.
   * `workspace` is the directory that the server works on, whose own policy holds too.
   */
  admitServer(name: string, workspace?: string): Promise<AdmittedServer>;
  /** Rejects with `policy.network_denied` where this may not be reached. */
  admitHost(host: string, port: number): Promise<void>;
  /** The sandbox of the conversation; missing where there is none. */
  sandbox?: ConversationSandbox;
  /** Extensions; missing where there are none to be used. */
  capabilities?: CapabilityHost;
}
