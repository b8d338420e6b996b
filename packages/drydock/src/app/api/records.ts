export interface WrittenRecords {
  directory: string;
  files: number;
  /** What could not be written, in one sentence; null where all is there. */
  warning: string | null;
}

export interface Records {
  /** One self-contained HTML page about the run, to be sent to somebody. */
  report(id: string): Promise<string>;
  /** Writes the run's readable directory; DRYDOCK_HOME/runs/ID where no other is named. */
  writeRecords(id: string, directory?: string): Promise<WrittenRecords>;
}
