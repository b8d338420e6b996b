export type RequestedRange =
  | { kind: "whole" }
  /** Bytes from `start` up to, not including, `end`. */
  | { kind: "part"; start: number; end: number }
  | { kind: "outside" };

/** What `Range` asks for. A header of another form, or one of several ranges, may be ignored, and is. */
export function readRange(header: string | null, size: number): RequestedRange {
  const [, first, last] = /^bytes= *(\d*) *- *(\d*) *$/.exec(header ?? "") ?? [];
  if (first === undefined || last === undefined || (first === "" && last === "")) return { kind: "whole" };
  if (first === "") {
    const length = Math.min(Number(last), size);
    return length === 0 ? { kind: "outside" } : { kind: "part", start: size - length, end: size };
  }
  const start = Number(first);
  const end = last === "" ? size : Math.min(Number(last) + 1, size);
  if (last !== "" && Number(last) < start) return { kind: "whole" };
  return start >= size ? { kind: "outside" } : { kind: "part", start, end };
}
