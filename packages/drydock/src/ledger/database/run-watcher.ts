/** Says when a run may have new events, whichever process wrote them. It may say so too often, and never too seldom. */
export interface RunWatcher {
  /** Calls `wake` until the returned function is called. */
  watch(runId: string, wake: () => void): () => void;
  close(): Promise<void>;
}
