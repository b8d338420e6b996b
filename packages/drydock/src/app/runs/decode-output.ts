import type { OutputChunk } from "./api.ts";

/** Bytes as they come, cut anywhere, become text. A listener that throws is warned about: the run is not at fault. */
export function decodeOutput(onOutput: (chunk: OutputChunk) => void) {
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  return (stream: "stdout" | "stderr", bytes: Buffer) => {
    const text = decoders[stream].decode(bytes, { stream: true });
    if (text === "") return;
    try {
      onOutput({ stream, text });
    } catch (error) {
      process.emitWarning(
        `onOutput threw: ${error instanceof Error ? error.message : String(error)}`,
        "DrydockWarning",
      );
    }
  };
}
