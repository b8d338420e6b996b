export interface MatchRequest {
  pattern: string;
  text: string;
}

export type MatchAnswer =
  | { kind: "matched"; index: number; match: string }
  | { kind: "unmatched" }
  | { kind: "invalid"; reason: string };

export interface SchemaRequest {
  /** The schema and the instance as JSON text. */
  schema: string;
  instance: string;
  /** What the schema refers to, by address, as JSON text. */
  resources?: Record<string, string>;
}

/** One keyword that the instance does not satisfy, by JSON pointers into the instance and the schema. */
export interface SchemaProblem {
  instance: string;
  keyword: string;
}

export type SchemaAnswer =
  | { kind: "valid" }
  | { kind: "mismatched"; problems: SchemaProblem[]; count: number }
  | { kind: "no_json"; reason: string }
  | { kind: "bad_schema"; reason: string }
  /** It refers to something that is not at hand. */
  | { kind: "unresolved"; uri: string };

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
