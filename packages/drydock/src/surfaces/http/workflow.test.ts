import { expect, it } from "vitest";
import { openTestServer, readEvents } from "./testing/open-test-server.ts";

const code = (contains: string, text: string) => ({
  when: { step: "code", contains },
  text: `\`\`\`python\n${text}\n\`\`\``,
  repeat: "always",
});
// The last instruction is asked with the earlier ones before it: the most particular answer comes first.
const place = openTestServer({
  script: [
    code("bar chart", "import matplotlib.pyplot as plt\nmeans.plot.bar()\nplt.gcf()"),
    code("average", "means = data.mean()\nmeans.to_dict()"),
    code("data.csv", "import pandas as pd\ndata = pd.read_csv('data.csv')\nlen(data)"),
  ],
});

it("reads a table, averages its columns and draws a chart: the averages are right and the picture comes back", async () => {
  const body = {
    instructions: ["Read data.csv", "Take the average of every column", "Draw a bar chart of them"],
    attachments: [{ name: "data.csv", content: "a,b\n1,10\n2,20\n3,60\n" }],
  };
  const { text } = await place.call("POST", "/workflows", body, { accept: "text/event-stream" });
  const events = readEvents(text);
  expect(events.map(({ event }) => event)).toContain("progress");
  const result = JSON.parse(events.at(-1)?.data ?? "{}");
  expect(result).toMatchObject({ ok: true, steps: [{ result: 3 }, { result: { a: 2, b: 30 } }, { status: "done" }] });
  const picture = result.artifacts.find(({ mime }: { mime: string }) => mime === "image/png");
  const bytes = Buffer.from(await (await place.fetch(`/artifacts/${picture.id}`)).arrayBuffer());
  expect(bytes.subarray(1, 4).toString()).toBe("PNG");
  expect(bytes.length).toBe(picture.size);
}, 60_000);
