import * as z from "zod";
import { ERROR_CODES } from "./error-codes.ts";

/** The wire shape of an error: the same in the library's results, on the command line, over HTTP and MCP. */
export const ErrorInfo = z.looseObject({
  code: z
    .enum(ERROR_CODES)
    .describe("What went wrong, as a stable code for programs. The part before the dot names the kind of error."),
  message: z.string().describe("What happened, in one sentence for people. The wording may change between versions."),
  hint: z.string().describe("What a person or a model can do about it."),
  exitCode: z.number().int().optional().describe("The program's exit status, for `code.exit`."),
  line: z.number().int().optional().describe("The line of the code where it failed, counted from 1."),
  column: z.number().int().optional().describe("The column of the code where it failed, counted from 1."),
});
export type ErrorInfo = z.infer<typeof ErrorInfo>;
