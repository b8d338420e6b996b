export * from "./assertions.ts";
export { openRecording, type Recording, type RecordingMode } from "./open-recording.ts";
