// The network is off until the owner allows a host and the call asks for it. A local server stands for the world here.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { agents, createDock, executeCode } from "drydock";

const host = `127.0.0.1:${process.argv[2] ?? 18765}`;
const server = createServer((_request, response) => response.end(JSON.stringify({ usd: 64_000 })));
await new Promise<void>((listening) => server.listen(Number(host.split(":")[1]), "127.0.0.1", listening));

// The owner's policy: nothing by default, this one host where it is asked for.
const home = mkdtempSync(join(tmpdir(), "drydock-example-"));
writeFileSync(join(home, "policy.yaml"), `version: 1\nnetwork:\n  allow: { default: [], max: ["${host}"] }\n`);
const dock = await createDock({ home });
agents.use(dock);

const refused = await executeCode("Fetch the price of a bitcoin from http://prices.example/");
console.log(`refused: ${refused.error?.code}\n  ${refused.error?.hint}`);

const options = { policy: { network: { allow: [host] } } };
const fetched = await executeCode(`Fetch the price of a bitcoin. It is the field usd of http://${host}/`, options);
console.log(`fetched: ${fetched.result}`);

await dock.close();
server.close();
rmSync(home, { recursive: true });
