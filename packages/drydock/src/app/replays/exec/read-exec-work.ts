import { ExecRequest } from "@drydock/protocol";
import * as z from "zod";
import { notReplayable } from "../read-recorded.ts";
import { withoutSecret } from "../read-request.ts";
import type { ReplayPorts } from "../replayer.ts";

/** The request of an execution, as its record has it. */
export const RecordedExec = z.object({
  ...ExecRequest.omit({ policy: true, session: true, workspace: true }).shape,
  language: z.string(),
  codeChars: z.number().optional(),
  codeSha256: z.string().optional(),
});
export type RecordedExec = z.infer<typeof RecordedExec>;

/** What is to be executed, without where and how. */
export function pickWork({ filename, args, command, requirements, language }: RecordedExec, code: string | null) {
  const work = command ? { command } : { code: code ?? "", language: ExecRequest.shape.language.parse(language) };
  return {
    ...work,
    ...(filename !== undefined && { filename }),
    ...(args !== undefined && { args }),
    ...(requirements !== undefined && { requirements }),
  };
}

export async function readCode(
  ports: Pick<ReplayPorts, "ledger">,
  runId: string,
  wanted: RecordedExec,
): Promise<string | null> {
  const { command, code, codeChars, codeSha256 } = wanted;
  if (command) return null;
  if (codeSha256 !== undefined) return (await ports.ledger.blobs.readWhole(codeSha256)).toString();
  if (code === undefined) throw notReplayable(runId, "its code is not on record");
  if (code.length === codeChars) return code;
  const reason = `only the first ${code.length} of ${codeChars} characters of its code are on record`;
  throw code.endsWith("…") ? notReplayable(runId, reason) : withoutSecret(runId, "code");
}
