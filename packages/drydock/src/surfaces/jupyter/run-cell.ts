import { DrydockError, internalError, type StepResult } from "@drydock/protocol";
import * as z from "zod";
import type { AnswerInput, OutputChunk } from "../../app/index.ts";
import { createCellFilter } from "../terminal/filter-output.ts";
import { type CellFailure, describeFailure } from "./describe-failure.ts";
import type { Replies } from "./messages.ts";
import type { NotebookSession } from "./notebook-session.ts";
import { pictureOf, readDisplay } from "./read-display.ts";

const MAX_PICTURES = 16;

export const ExecuteRequest = z.looseObject({
  code: z.string(),
  silent: z.boolean().default(false),
  store_history: z.boolean().default(true),
  stop_on_error: z.boolean().default(true),
  allow_stdin: z.boolean().default(false),
});
export type ExecuteRequest = z.infer<typeof ExecuteRequest>;

export interface CellPorts {
  session: NotebookSession;
  readArtifact(id: string): Promise<Uint8Array>;
}

/** Input and interrupts for a cell while it runs. */
export interface CellControl {
  signal: AbortSignal;
  /** Undefined where the frontend can't ask anybody. */
  onInput: AnswerInput | undefined;
}

/** Runs one cell and publishes what it shows, while it runs and after. Gives what went wrong, or null. */
export async function runCell(
  { session, readArtifact }: CellPorts,
  { code, silent }: ExecuteRequest,
  cell: number,
  { publish }: Replies,
  control: CellControl,
): Promise<CellFailure | null> {
  let failure: CellFailure | null = null;
  const filters = { stdout: createCellFilter(), stderr: createCellFilter() };
  const show = (name: "stdout" | "stderr", text: string) => {
    if (text !== "") publish("stream", { name, text });
  };
  try {
    const onOutput = ({ stream, text }: OutputChunk) => show(stream, filters[stream].write(text));
    const result = await session.run(readCode(code), cell, { ...control, onOutput }).finally(() => {
      for (const stream of ["stdout", "stderr"] as const) show(stream, filters[stream].end());
    });
    if (!silent) await showResult(result, cell, endsQuietly(code), readArtifact, publish);
    for (const note of result.notes) publish("stream", { name: "stderr", text: `note: ${note}\n` });
    if (result.error) failure = describeFailure(result.error, session.nameCells);
  } catch (error) {
    const known = error instanceof DrydockError ? error : internalError(error);
    failure = describeFailure(known.toInfo(), session.nameCells);
  }
  if (failure && !silent) publish("error", { ...failure });
  return failure;
}

async function showResult(
  { result, artifacts }: StepResult,
  cell: number,
  isQuiet: boolean,
  readArtifact: CellPorts["readArtifact"],
  publish: Replies["publish"],
): Promise<void> {
  const { shown, value } = readDisplay(result);
  for (const data of shown) publish("display_data", { data, metadata: {} });
  if (value && !isQuiet) publish("execute_result", { execution_count: cell, data: value, metadata: {} });
  const pictures = artifacts.filter(({ mime }) => mime === "image/png" || mime === "image/jpeg");
  for (const { id, mime, name } of pictures.slice(0, MAX_PICTURES)) {
    const picture = pictureOf(mime, await readArtifact(id));
    if (picture !== null) publish("display_data", { data: { "text/plain": name, [mime]: picture }, metadata: {} });
  }
}

/** `%matplotlib` asks for what holds here anyway; the line stays, so that the others keep their numbers. */
function readCode(code: string): string {
  return code.replaceAll(/^%matplotlib\b.*$/gm, "");
}

/** As notebooks have it, a semicolon at the end keeps the last value from being shown. */
function endsQuietly(code: string): boolean {
  return code.trimEnd().endsWith(";");
}
