import * as z from "zod";
import { cleanHtml } from "./clean-html.ts";

/** Representations of one value, by media type. */
export type Bundle = Record<string, string>;

export interface Display {
  /** What the cell gave to `display`, in order. */
  shown: Bundle[];
  /** The value of its last expression. */
  value: Bundle | null;
}

const bundle = z.record(z.string(), z.string());
const DisplayReport = z.object({ shown: z.array(bundle), value: bundle.nullable() });
const Described = z.object({ type: z.string(), repr: z.string() });
const PICTURES: Record<string, readonly number[]> = {
  "image/png": [0x89, 0x50, 0x4e, 0x47],
  "image/jpeg": [0xff, 0xd8],
};

/** What a step's result shows. It comes from the sandbox: nothing of it is passed on that could act where it is shown. */
export function readDisplay(result: unknown): Display {
  const display = DisplayReport.safeParse(result).data;
  if (display) return { shown: display.shown.map(clean), value: display.value && clean(display.value) };
  if (result === null || result === undefined) return { shown: [], value: null };
  const text = Described.safeParse(result).data?.repr ?? JSON.stringify(result);
  return { shown: [], value: { "text/plain": text } };
}

export function pictureOf(mime: string, bytes: Uint8Array): string | null {
  const isPicture = PICTURES[mime]?.every((byte, index) => bytes[index] === byte) === true;
  return isPicture ? Buffer.from(bytes).toString("base64") : null;
}

function clean(raw: Bundle): Bundle {
  const kept: Bundle = { "text/plain": raw["text/plain"] ?? "" };
  const html = raw["text/html"] === undefined ? null : cleanHtml(raw["text/html"]);
  if (html !== null) kept["text/html"] = html;
  for (const mime of Object.keys(PICTURES)) {
    const picture = raw[mime] === undefined ? null : pictureOf(mime, Buffer.from(raw[mime], "base64"));
    if (picture !== null) kept[mime] = picture;
  }
  return kept;
}
