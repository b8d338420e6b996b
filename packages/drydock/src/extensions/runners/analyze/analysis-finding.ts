import { fitText } from "../../../base/text/index.ts";

/** Something worth a look, and where it is. */
export interface AnalysisFinding {
  kind: string;
  /** A path into the data, `line 12`, or empty where it is the whole. */
  at: string;
  message: string;
}

/** One line, with its end left out where it is too long. */
export function excerpt(text: string, maxChars = 120): string {
  return fitText(text.replace(/\s+/g, " ").trim(), maxChars);
}
