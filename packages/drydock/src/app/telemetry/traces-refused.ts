/** The receiver answered, and did not take them. */
export class TracesRefused extends Error {
  override readonly name = "TracesRefused";

  constructor(status: number) {
    super(`it answered with status ${status}`);
  }
}
