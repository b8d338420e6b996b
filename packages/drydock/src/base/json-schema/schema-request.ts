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
