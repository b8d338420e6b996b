import { serve } from "drydock";
import type { Bench, Scenario } from "../scenario.ts";

const CODE = "print(1)";

/** The same run through the library and over HTTP, on one dock: what the server, and a client beside it, cost. */
export async function describeHttp({ dock, later }: Bench): Promise<Scenario[]> {
  const server = await serve([], { dock, port: 0 });
  later(() => server.close());
  const headers = { authorization: `Bearer ${server.token}`, "content-type": "application/json" };
  const body = JSON.stringify({ language: "python", code: CODE });
  const check = (said: unknown, stdout: string | undefined) => {
    if (stdout !== "1\n") throw new Error(`the dock said ${JSON.stringify(said)}`);
  };
  return [
    {
      name: "http",
      title: "POST /execute: print(1)",
      crowd: true,
      sides: [
        {
          name: "http",
          run: async () => {
            const response = await fetch(`${server.url}/execute`, { method: "POST", headers, body });
            const result = (await response.json()) as { stdout?: string };
            check(result, result.stdout);
          },
        },
        {
          name: "dock",
          run: async () => {
            const result = await dock.exec({ language: "python", code: CODE });
            check(result, result.stdout);
          },
        },
      ],
    },
  ];
}
