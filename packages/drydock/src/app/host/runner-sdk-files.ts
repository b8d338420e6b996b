import { join } from "node:path";

/** Where the build has put the SDK for runners: beside the bundle, which the sources use as well. */
const DIRECTORY = import.meta.url.endsWith(".ts")
  ? join(import.meta.dirname, "..", "..", "..", "dist", "runner-sdk")
  : join(import.meta.dirname, "runner-sdk");

export const RUNNER_SDK = {
  manifest: join(DIRECTORY, "package.json"),
  node: join(DIRECTORY, "dist"),
  python: join(DIRECTORY, "python", "drydock_runner"),
};
