import { describe } from "vitest";
import { useContainers } from "./use-containers.ts";

describe("containers of docker", () => useContainers("docker"));
