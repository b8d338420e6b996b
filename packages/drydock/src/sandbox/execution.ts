import type { ErrorInfo, Layer, SandboxReport } from "@drydock/protocol";
import type { Transcript } from "./members/transcript.ts";
import type { NetworkUse } from "./network-use.ts";
import type { View } from "./view/view.ts";

/** An execution as a backend leaves it, before it is judged. */
export interface RawExecution {
  transcript: Transcript;
  report: SandboxReport;
  view: View;
  /** The layer that the run started from. */
  base?: Layer;
  network: NetworkUse;
  /** An error although the code itself ended well. */
  complaint?: ErrorInfo;
  /** Notes about how the run was set up: what is held by less than usual, what of the project is used. */
  notes?: readonly string[];
}
