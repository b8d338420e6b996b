import { servePlugin } from "@drydock/runner-sdk";
import { acpAgent } from "./acp-agent.ts";

await servePlugin({ author: "drydock", name: "acp-agent", runners: [acpAgent] });
