/** Where the contents that events refer to are read. Both reject where the content is gone. */
export interface ContentReaders {
  blob(sha256: string): Promise<Uint8Array>;
  artifact(id: string): Promise<Uint8Array>;
}
