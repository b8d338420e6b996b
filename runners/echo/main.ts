import { servePlugin } from "@drydock/runner-sdk";
import { echo } from "./echo.ts";

await servePlugin({ author: "drydock", name: "echo", runners: [echo] });
