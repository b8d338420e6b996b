import { join } from "node:path";

/** Where the extensions lie that come with Drydock: in the repository beside packages/, in a build beside the bundle. */
export const BUILT_IN_EXTENSIONS = import.meta.url.endsWith(".ts")
  ? join(import.meta.dirname, "..", "..", "..", "..", "extensions")
  : join(import.meta.dirname, "extensions");
