/** What a tool of Drydock's own gives back where text alone does not say it: that it failed, and which run it was. */
export class ToolAnswer {
  readonly text: string;
  readonly failed: boolean;
  readonly runId: string | null;

  constructor(text: string, { failed, runId }: { failed: boolean; runId: string | null }) {
    this.text = text;
    this.failed = failed;
    this.runId = runId;
  }
}
