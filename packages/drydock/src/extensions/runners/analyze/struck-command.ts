/** What a model's answer proposed, and why it could not be called. */
export interface StruckCommand {
  line: string;
  reason: string;
}

export interface CheckedAnswer {
  text: string;
  struck: StruckCommand[];
}

/** What may be called, as the core knows it. */
export interface DeclaredActions {
  /** `/command action`. */
  actions: readonly string[];
  /** Why a line could not be called; null where it could. */
  refusal(line: string): Promise<string | null>;
}

export const STRUCK_OUT = "[struck out: not declared]";
