import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { serve } from "../index.ts";

/** A server that is a process of its own, so that what it holds is its own; its parent asks for that, and ends it. */
const [home = "", model = ""] = process.argv.slice(2);
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
// Longer than a caller that means well is kept from its work on a busy machine.
const limits = { stallMs: 15_000, headersMs: 15_000 };
const server = await serve([], { port: 0, home, model, warm: 2, limits });

process.on("message", async (request) => {
  if (request === "close") {
    await server.close();
    process.send?.({ closed: true });
    process.disconnect();
  } else {
    collect();
    const { heapUsed, rss } = process.memoryUsage();
    process.send?.({ heapBytes: heapUsed, rssBytes: rss });
  }
});
process.send?.({ url: server.url, port: server.port, token: server.token });
