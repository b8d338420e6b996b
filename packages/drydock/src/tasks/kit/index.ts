export * from "./assertions.ts";
export { openRecording, type RecordingMode } from "./open-recording.ts";
