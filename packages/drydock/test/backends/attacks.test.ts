import { describe } from "vitest";
import { BACKEND_DESCRIPTORS } from "../../src/sandbox/backends/registry.ts";
import { attackBackend } from "./attack-backend.ts";

/**
 * A fallback needs a machine without namespaces: `../landlock` makes one, and expects more of it. Docker, which podman stands in for,
 * is attacked in `attacks.soak.test.ts`.
 */
const sandboxes = BACKEND_DESCRIPTORS.filter(
  ({ backend, levels, isFallback }) => levels.length > 0 && !isFallback && backend !== "docker",
);

describe.each(sandboxes)("the backend $backend", attackBackend);
