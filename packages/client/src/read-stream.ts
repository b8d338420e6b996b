export interface ServerSentEvent {
  id: string | undefined;
  event: string;
  data: string;
}

/** The events of a stream, as they come. Comments, which keep the connection alive, are left out. */
export async function* readStream(response: Response): AsyncGenerator<ServerSentEvent> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    const blocks = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const event = readBlock(block);
      if (event) yield event;
    }
  }
}

function readBlock(block: string): ServerSentEvent | null {
  let id: string | undefined;
  let event = "message";
  const data: string[] = [];
  for (const line of block.split("\n")) {
    const [, name, value = ""] = /^(\w+):? ?(.*)$/s.exec(line) ?? [];
    if (name === "id") id = value;
    else if (name === "event") event = value;
    else if (name === "data") data.push(value);
  }
  return data.length === 0 ? null : { id, event, data: data.join("\n") };
}
