import { describe } from "vitest";
import { BACKEND_DESCRIPTORS } from "../../src/sandbox/backends/registry.ts";
import { attackBackend } from "./attack-backend.ts";

const docker = BACKEND_DESCRIPTORS.filter(({ backend }) => backend === "docker");

describe.each(docker)("the backend $backend", attackBackend);
