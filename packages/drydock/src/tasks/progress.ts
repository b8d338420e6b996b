import type { AgentToolCall, ErrorInfo, ModelMessage } from "@drydock/protocol";

/** Progress between events, for display only. `agent` is set within an agent's call. */
export type TaskProgress = { agent?: string; step?: number } & (
  | { kind: "asked"; model: string; attempt: number; system: string; messages: readonly ModelMessage[] }
  /** The model's words as they come. Where a request is made again, they start anew. */
  | { kind: "text"; text: string }
  /** A sentence of Drydock's own: why a request is made again. */
  | { kind: "notice"; text: string }
  | { kind: "answered"; model: string; durationMs: number; inputTokens: number; outputTokens: number }
  | { kind: "code"; attempt: number; block: string; code: string }
  | { kind: "output"; stream: "stdout" | "stderr"; text: string }
  | {
      kind: "executed";
      attempt: number;
      ok: boolean;
      error: ErrorInfo | null;
      durationMs: number;
      runId: string | null;
    }
  | { kind: "tool"; call: AgentToolCall }
);

export type OnProgress = (progress: TaskProgress) => void;
