import { servePlugin } from "@drydock/runner-sdk";
import { localAgent } from "./local-agent.ts";

await servePlugin({ author: "drydock", name: "local-agent", runners: [localAgent] });
