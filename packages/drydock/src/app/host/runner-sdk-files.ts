import { fileURLToPath } from "node:url";

/** Where the SDK's bundle for Node and its module for Python lie in a clone. */
const SDK = new URL("../../../../runner-sdk/", import.meta.url);

export const RUNNER_SDK = {
  node: fileURLToPath(new URL("dist/index.js", SDK)),
  python: fileURLToPath(new URL("python/drydock_runner.py", SDK)),
};
