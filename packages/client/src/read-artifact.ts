import { OPERATIONS } from "@drydock/protocol/http";
import type { Caller } from "./call-operation.ts";

export interface ByteRange {
  start: number;
  end?: number;
}

export async function readArtifact(
  caller: Caller,
  id: string,
  range?: ByteRange,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const headers = range && { range: `bytes=${range.start}-${range.end === undefined ? "" : range.end - 1}` };
  const response = await caller.fetch(OPERATIONS.getArtifact, { params: { id } }, { signal, headers: { ...headers } });
  return new Uint8Array(await response.arrayBuffer());
}
