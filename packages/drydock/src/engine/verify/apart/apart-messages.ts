import type { SchemaAnswer, SchemaRequest } from "../../../base/json-schema/index.ts";

export interface MatchRequest {
  pattern: string;
  text: string;
}

export type MatchAnswer =
  | { kind: "matched"; index: number; match: string }
  | { kind: "unmatched" }
  | { kind: "invalid"; reason: string };

export type ApartRequest = ({ kind: "match" } & MatchRequest) | ({ kind: "schema" } & SchemaRequest);
export type ApartAnswer = MatchAnswer | SchemaAnswer;

export interface ApartReply {
  answer: ApartAnswer;
  /** Whether the thread is as it was before: another's request may follow. */
  isReusable: boolean;
}

/** It took too long, or too much memory. */
export interface Stopped {
  kind: "stopped";
  reason: string;
}
