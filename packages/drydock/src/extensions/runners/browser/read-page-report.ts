import * as z from "zod";
import type { PageRequest } from "./read-page-request.ts";

const Failure = z.object({
  kind: z.enum(["missing", "silent", "download", "failed", "starved", "browser"]),
  reason: z.string().max(2000).optional(),
});
export type PageFailure = z.infer<typeof Failure>;

const Notes = z.array(z.string().max(1000)).max(50).default([]);

const Report = z.object({
  url: z.string(),
  status: z.number().int().nullable(),
  headers: z.record(z.string(), z.string()),
  title: z.string(),
  text: z.string(),
  links: z.array(z.object({ text: z.string(), href: z.string() })),
  settled: z.boolean(),
  notes: Notes,
});
export type PageReport = z.infer<typeof Report>;

const PageDriverReport = z.intersection(
  z.union([z.object({ failure: Failure, url: z.string().optional(), notes: Notes }), Report]),
  z.object({ pictureBytes: z.number().int().nonnegative() }),
);
type PageDriverReport = { failure: PageFailure; url?: string; notes: string[] } | PageReport;

const PNG = Buffer.from("89504e470d0a1a0a", "hex");

type Bounds = Pick<PageRequest, "maxTextBytes" | "maxLinks" | "width" | "maxPictureHeight">;

/**
 * One line of JSON, then a picture. The browser works on whatever the network sends it, and shares its sandbox with the
 * program that writes this: nothing is believed of it but its shape. Null where it has none.
 */
export function readPageReport(
  stdout: Buffer,
  bounds: Bounds,
): { report: PageDriverReport; picture: Buffer | null } | null {
  const end = stdout.indexOf(0x0a);
  const parsed = PageDriverReport.safeParse(end < 0 ? null : parseJson(stdout.subarray(0, end)));
  if (!parsed.success) return null;
  const { pictureBytes, ...report } = parsed.data;
  const picture = stdout.subarray(end + 1);
  return {
    report: "failure" in report ? report : cut(report, bounds),
    picture: picture.length === pictureBytes && isPicture(picture, bounds) ? picture : null,
  };
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return null;
  }
}

function cut(report: PageReport, { maxTextBytes, maxLinks }: Bounds): PageReport {
  const bytes = Buffer.from(report.text);
  // A character that the cut goes through is left out.
  const text =
    bytes.length > maxTextBytes
      ? new TextDecoder().decode(bytes.subarray(0, maxTextBytes), { stream: true })
      : report.text;
  const links = report.links
    .slice(0, maxLinks)
    .map((link) => ({ text: link.text.slice(0, 200), href: link.href.slice(0, 2000) }));
  const notes = text === report.text ? report.notes : [...report.notes, `the text was cut at ${maxTextBytes} bytes`];
  return { ...report, url: report.url.slice(0, 4000), title: report.title.slice(0, 1000), text, links, notes };
}

function isPicture(bytes: Buffer, { width, maxPictureHeight }: Bounds): boolean {
  if (bytes.length < 33 || !bytes.subarray(0, 8).equals(PNG)) return false;
  return bytes.readUInt32BE(16) <= width && bytes.readUInt32BE(20) <= maxPictureHeight;
}
