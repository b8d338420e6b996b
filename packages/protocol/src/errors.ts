import * as z from "zod";
import { ERROR_CODES } from "./error-codes.ts";

/** The wire shape of an error: the same in the library's results, on the command line, over HTTP and MCP. */
export const ErrorInfo = z.looseObject({
  code: z.enum(ERROR_CODES),
  message: z.string(),
  /** What a person or a model can do about it. */
  hint: z.string(),
  exitCode: z.number().int().optional(),
  line: z.number().int().optional(),
  column: z.number().int().optional(),
});
export type ErrorInfo = z.infer<typeof ErrorInfo>;
