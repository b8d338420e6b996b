import { types } from "pg";

const INT8 = 20;
const NUMERIC = 1700;

/** Whole numbers of 64 bits, and sums of them, as JavaScript's numbers: one that does not fit is refused, as by Node's SQLite. */
function readNumber(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) || !/^-?\d+$/.test(text)) return value;
  throw Object.assign(new RangeError(`${text} is too large for a number.`), { code: "ERR_OUT_OF_RANGE" });
}

export const NUMBER_TYPES = {
  getTypeParser: ((oid: number, format?: "text" | "binary") =>
    (oid === INT8 || oid === NUMERIC) && format !== "binary"
      ? readNumber
      : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
};
