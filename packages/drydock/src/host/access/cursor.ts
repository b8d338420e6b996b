import { ApiError } from "@drydock/protocol/runner";

/** A cursor says for which call and which conversation it is, so that it can't be used elsewhere. */
export function encodeCursor(call: string, conversation: string, seq: number): string {
  return Buffer.from(JSON.stringify([1, call, conversation.slice(0, 12), seq])).toString("base64url");
}

export function decodeCursor(
  call: string,
  conversation: string,
  cursor: string | null | undefined,
): number | undefined {
  if (cursor === null || cursor === undefined) return undefined;
  try {
    const [version, name, where, seq] = JSON.parse(Buffer.from(cursor, "base64url").toString()) as unknown[];
    if (version === 1 && name === call && where === conversation.slice(0, 12) && Number.isSafeInteger(seq))
      return seq as number;
  } catch {
    // Not a cursor at all.
  }
  throw new ApiError("invalid_argument", "The cursor is not one of this call and conversation.");
}
