import { DrydockError, describeFileError, explainFullDisk } from "@drydock/protocol";
import { putFile } from "../../base/files/index.ts";

/** Puts the text in place whole, so that a crash leaves the old file or the new one. A link stays a link. */
export async function replaceFile(path: string, text: string): Promise<void> {
  try {
    await putFile(path, text);
  } catch (error) {
    const full = explainFullDisk(error, path);
    if (full) throw full;
    const hint = "Make the directory writable, or edit the file as its owner.";
    const message = `${path}: it can't be written: ${describeFileError(error)}.`;
    throw new DrydockError("input.invalid", message, hint, { file: path }, error);
  }
}
