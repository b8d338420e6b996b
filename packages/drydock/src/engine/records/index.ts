export type { ContentReaders } from "./content-readers.ts";
export { createRecorder, type Recorder, type RecorderOptions } from "./recorder.ts";
export { type ReportOptions, renderReport } from "./report/render-report.ts";
export { type WrittenRecords, writeRecords } from "./write-records.ts";
