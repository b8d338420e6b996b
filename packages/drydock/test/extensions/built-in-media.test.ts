import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { openExtensionDock } from "../testing/extension-dock.ts";

const made = openExtensionDock({ extensions: [] });
const workspace = mkdtempSync(join(tmpdir(), "drydock-media-"));
afterAll(() => rmSync(workspace, { recursive: true, force: true }));
const picture = ["-f", "lavfi", "-i", "testsrc=duration=2:size=160x120:rate=10"];
const sound = ["-f", "lavfi", "-i", "sine=duration=2"];
execFileSync("ffmpeg", [
  "-loglevel",
  "error",
  ...picture,
  ...sound,
  "-pix_fmt",
  "yuv420p",
  join(workspace, "clip.mp4"),
]);

/** What came of it, by what FFmpeg itself says about the file. */
async function look(line: string) {
  const outcome = await made.call(line, { workspace });
  if (outcome.type !== "capability_result") throw new Error(JSON.stringify(outcome));
  const [artifact] = outcome.artifacts;
  if (!artifact) throw new Error(`${line} wrote nothing`);
  const file = join(made.directory, artifact.name);
  writeFileSync(file, await made.dock.runs.readArtifact(artifact.id));
  const probe = ["-v", "error", "-print_format", "json", "-show_streams", "-show_format", file];
  return JSON.parse(execFileSync("ffprobe", probe).toString());
}

describe("/ffmpeg", () => {
  it("tells what a file holds", async () => {
    const outcome = await made.call("/ffmpeg info clip.mp4", { workspace });
    expect(outcome).toMatchObject({
      json: {
        streams: [{ codec_type: "video", width: 160 }, { codec_type: "audio" }],
        format: { duration: "2.000000" },
      },
    });
  });

  it("converts, cuts, and takes pictures and sound out of it", async () => {
    expect(await look("/ffmpeg convert clip.mp4 small.mkv --width 80 --fps 5 --quality 40")).toMatchObject({
      streams: [{ width: 80, height: 60, r_frame_rate: "5/1" }, {}],
      format: { format_name: "matroska,webm" },
    });
    const part = await look("/ffmpeg cut clip.mp4 part.mp4 --from 00:00:01 --duration 0.5");
    expect(Number(part.format.duration)).toBeLessThan(1);
    expect(await look("/ffmpeg thumbnail clip.mp4 cover.png --at 1 --width 64")).toMatchObject({
      streams: [{ codec_name: "png", width: 64 }],
    });
    expect(await look("/ffmpeg audio clip.mp4 speech.wav --rate 16000 --channels 1")).toMatchObject({
      streams: [{ codec_type: "audio", sample_rate: "16000", channels: 1 }],
    });
  });

  it("leaves a file alone that is there already, unless it is told to replace it", async () => {
    expect(await made.call("/ffmpeg audio clip.mp4 clip.mp4", { workspace })).toMatchObject({
      type: "capability_error",
    });
    writeFileSync(join(workspace, "old.wav"), "old");
    await look("/ffmpeg audio clip.mp4 old.wav --overwrite");
  });

  it.each([
    ["an address", "/ffmpeg info https://example.org/x.mp4"],
    ["a protocol", "/ffmpeg info concat:clip.mp4"],
    ["a device", "/ffmpeg info /dev/video0"],
    ["a path upwards", "/ffmpeg convert clip.mp4 ../out.mp4"],
    ["an option", "/ffmpeg convert clip.mp4 -- -f"],
    ["a filter in a number", "/ffmpeg convert clip.mp4 x.mp4 --width '80,movie=/etc/passwd'"],
    ["a program of another format", "/ffmpeg convert clip.mp4 tee:x"],
  ])("refuses %s", async (_name, line) => {
    const outcome = await made.call(line, { workspace });
    expect(outcome).toMatchObject({ type: "capability_error", artifacts: [] });
  });

  it("follows a playlist to no other protocol", async () => {
    const list = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nhttp://127.0.0.1:1/x.ts\n#EXT-X-ENDLIST\n";
    writeFileSync(join(workspace, "list.m3u8"), list);
    const { message } = await made.error("/ffmpeg convert list.m3u8 stolen.mp4", { workspace });
    expect(message).toMatch(/not on whitelist 'file'/);
  });
});
