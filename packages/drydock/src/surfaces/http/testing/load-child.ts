import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { serve } from "../index.ts";

/** A server that is a process of its own, so that what it holds is its own; its parent asks for that, and ends it. */
const [home = "", model = ""] = process.argv.slice(2);
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
const server = await serve([], { port: 0, home, model, warm: 2, limits: { stallMs: 2000, headersMs: 5000 } });

process.on("message", async (asked) => {
  if (asked === "close") {
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
