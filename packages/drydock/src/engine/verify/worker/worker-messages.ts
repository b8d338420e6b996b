import type { SchemaAnswer, SchemaRequest } from "../../../base/json-schema/index.ts";

export interface MatchRequest {
  pattern: string;
  text: string;
}

export type MatchAnswer =
  | { kind: "matched"; index: number; match: string }
  | { kind: "unmatched" }
  | { kind: "invalid"; reason: string };

export type WorkerRequest = ({ kind: "match" } & MatchRequest) | ({ kind: "schema" } & SchemaRequest);
export type WorkerAnswer = MatchAnswer | SchemaAnswer;

export interface WorkerReply {
  answer: WorkerAnswer;
  /** Whether the thread is in its initial state and may take another request. */
  isReusable: boolean;
}

/** It took too long, or too much memory. */
export interface Stopped {
  kind: "stopped";
  reason: string;
}
