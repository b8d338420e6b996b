export type { ContentReaders } from "./content-readers.ts";
export { renderJunit } from "./exchange/render-junit.ts";
export { renderSarif } from "./exchange/render-sarif.ts";
export { readVerdictReport, type VerdictReport } from "./exchange/verdict-report.ts";
export { applyEvent } from "./fold-events.ts";
export { type AttemptView, createGoalView, type GoalView, type TaskView } from "./goal-view.ts";
export { createRecorder, type Recorder, type RecorderOptions } from "./recorder.ts";
export { type ReportOptions, renderReport } from "./report/render-report.ts";
export { type WrittenRecords, writeRecords } from "./write-records.ts";
