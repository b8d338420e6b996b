import { isUtf8 } from "node:buffer";

/** Whether bytes are text that people can read: UTF-8 without a NUL. */
export function isText(bytes: Uint8Array): boolean {
  return isUtf8(bytes) && !bytes.includes(0);
}
