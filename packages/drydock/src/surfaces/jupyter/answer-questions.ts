import * as z from "zod";
import type { NotebookSession } from "./notebook-session.ts";

type Content = Record<string, unknown>;

const CodeAt = z.looseObject({
  code: z.string(),
  cursor_pos: z.number().int().optional(),
  detail_level: z.number().optional(),
});
const Completion = z.object({ matches: z.array(z.string()), start: z.number() });
const Inspection = z.object({ text: z.string().nullable() });
const Completeness = z.object({ status: z.enum(["complete", "incomplete", "invalid"]), indent: z.string().optional() });

/** Positions are counted in characters, as Jupyter and Python count them. */
export async function completeCode(session: NotebookSession, content: Content): Promise<Content> {
  const { code, position } = readCodeAt(content);
  const found = Completion.safeParse(await session.look("complete", code, position)).data;
  const { matches, start } = found ?? { matches: [], start: position };
  return { status: "ok", matches, cursor_start: start, cursor_end: position, metadata: {} };
}

export async function inspectCode(session: NotebookSession, content: Content): Promise<Content> {
  const { code, position, detail } = readCodeAt(content);
  const text = Inspection.safeParse(await session.look("inspect", code, position, detail)).data?.text ?? null;
  return { status: "ok", found: text !== null, data: text === null ? {} : { "text/plain": text }, metadata: {} };
}

export async function judgeCompleteness(session: NotebookSession, content: Content): Promise<Content> {
  const { code, position } = readCodeAt(content);
  const completeness = Completeness.safeParse(await session.look("is_complete", code, position)).data;
  return completeness ?? { status: "unknown" };
}

function readCodeAt(content: Content): { code: string; position: number; detail: number } {
  const { code, cursor_pos, detail_level = 0 } = CodeAt.parse(content);
  return { code, position: cursor_pos ?? [...code].length, detail: detail_level };
}
