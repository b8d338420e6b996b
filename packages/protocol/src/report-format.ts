import * as z from "zod";

/** What a report of a run can be written as: a page for people, or a file that other tools read. */
export const REPORT_FORMATS = ["html", "junit", "sarif"] as const;
export const ReportFormat = z.enum(REPORT_FORMATS);
export type ReportFormat = z.infer<typeof ReportFormat>;

export const REPORT_MEDIA: Record<ReportFormat, string> = {
  html: "text/html; charset=utf-8",
  junit: "application/xml; charset=utf-8",
  sarif: "application/sarif+json; charset=utf-8",
};
