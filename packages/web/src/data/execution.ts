import type { ArtifactRef, ErrorInfo } from "@drydock/protocol";

export interface OutputPiece {
  stream: "stdout" | "stderr";
  text: string;
}

/** Code that runs or ran, as far as the page knows. */
export interface Execution {
  state: "idle" | "running" | "ok" | "failed" | "cancelled";
  runId: string | null;
  output: readonly OutputPiece[];
  result: unknown;
  error: ErrorInfo | null;
  artifacts: readonly ArtifactRef[];
  notes: readonly string[];
  wallMs: number | null;
  /** The code waits for a line. */
  asks: { hidden: boolean } | null;
}

export const NOT_RUN: Execution = {
  ...{ state: "idle", runId: null, output: [], result: undefined, error: null, artifacts: [], notes: [] },
  ...{ wallMs: null, asks: null },
};

/** Code that changes between both streams all the time is shown stream by stream from here on. */
const MOST_PIECES = 100;

export function addOutput(output: readonly OutputPiece[], piece: OutputPiece): OutputPiece[] {
  const pieces = [...output];
  const at =
    pieces.length < MOST_PIECES ? pieces.length - 1 : pieces.findLastIndex(({ stream }) => stream === piece.stream);
  const last = pieces[at];
  if (last?.stream === piece.stream) pieces[at] = { ...piece, text: last.text + piece.text };
  else pieces.push(piece);
  return pieces;
}
