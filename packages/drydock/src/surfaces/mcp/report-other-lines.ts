import { Transform } from "node:stream";

const SHOWN_BYTES = 80;
const NEWLINE = 0x0a;
const OPENS_MESSAGE = /^\s*[{[]/;

/**
 * Passes a stream on as it is, and reports each line that can't be a message: the MCP library ignores those silently,
 * and a person who types one would wait for an answer. Only the beginning of a line is checked.
 */
export function reportOtherLines(report: (error: Error) => void): Transform {
  let start = Buffer.alloc(0);
  let isLong = false;
  const end = () => {
    const text = start.toString("utf8").trim();
    if (text !== "" && !OPENS_MESSAGE.test(text)) {
      report(new Error(`A line of the input is not a JSON-RPC message: ${JSON.stringify(text)}${isLong ? "…" : ""}`));
    }
    start = Buffer.alloc(0);
    isLong = false;
  };
  const look = (part: Buffer) => {
    const room = SHOWN_BYTES - start.length;
    if (part.length > room) isLong = true;
    if (room > 0) start = Buffer.concat([start, part.subarray(0, room)]);
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let at = 0;
      for (let next = chunk.indexOf(NEWLINE); next >= 0; next = chunk.indexOf(NEWLINE, at)) {
        look(chunk.subarray(at, next));
        end();
        at = next + 1;
      }
      look(chunk.subarray(at));
      done(null, chunk);
    },
    flush(done) {
      end();
      done();
    },
  });
}
