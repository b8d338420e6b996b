import { DrydockError } from "@drydock/protocol";

/** Where in a line something stands: offsets of characters, the end not included. */
export interface InputPosition {
  start: number;
  end: number;
}

const SHOWN_CHARS = 60;

/** What a person gave, cut to what a message can hold. */
export function showText(text: string): string {
  const characters = [...text.slice(0, SHOWN_CHARS * 2)];
  return characters.length <= SHOWN_CHARS ? text : `${characters.slice(0, SHOWN_CHARS).join("")}…`;
}

/** The place as people count it: line and column from 1. */
function describePlace(line: string, offset: number): { line: number; column: number } {
  const before = line.slice(0, offset);
  const lastBreak = before.lastIndexOf("\n");
  return { line: before.split("\n").length, column: [...before.slice(lastBreak + 1)].length + 1 };
}

export function refuseInput(message: string, hint: string, data: Record<string, unknown> = {}): DrydockError {
  return new DrydockError("input.invalid", message, hint, data);
}

/** The same about what stands at an offset of the line, which `locateError` turns into a line and a column. */
export function refuseAt(offset: number, message: string, hint: string): DrydockError {
  return refuseInput(message, hint, { offset });
}

/** Runs something that is about what stands at an offset, and says so where it fails. */
export function atOffset<T>(offset: number, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof DrydockError) || "offset" in error.data) throw error;
    throw new DrydockError(error.code, error.message, error.hint, { ...error.data, offset }, error);
  }
}

export function locateError(line: string, error: unknown): unknown {
  if (!(error instanceof DrydockError) || typeof error.data.offset !== "number") return error;
  const { offset, ...data } = error.data;
  return new DrydockError(error.code, error.message, error.hint, { ...data, ...describePlace(line, offset) }, error);
}
