import { servePlugin } from "@drydock/runner-sdk";
import { ADAPTERS } from "./adapters/adapters.ts";
import { createServiceRunner } from "./create-service-runner.ts";

await servePlugin({ author: "drydock", name: "services", runners: ADAPTERS.map(createServiceRunner) });
