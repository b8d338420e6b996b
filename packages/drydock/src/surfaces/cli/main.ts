import { startEarlyFor } from "./exec/start-early-for.ts";

// Before anything else is loaded: the interpreter and this program get ready side by side.
const words = process.argv.slice(2);
const early = startEarlyFor(words);
const { runMain } = await import("./run-main.ts");
await runMain(words, early);
