import type { Run, Style } from "./screen.ts";
import type { Frame } from "./take-frames.ts";

const FONT_PX = 13;
const CELL_PX = 7.8;
const LINE_PX = 18;
const PADDING_PX = 16;
const BAR_PX = 34;
const COLORS = {
  paper: "#0d1117",
  bar: "#161b22",
  edge: "#30363d",
  text: "#e6edf3",
  /** Black, red, green, yellow, blue, magenta, cyan, white, and the same bright. */
  palette: [
    ...["#0d1117", "#ff7b72", "#3fb950", "#d29922", "#58a6ff", "#bc8cff", "#39c5cf", "#b1bac4"],
    ...["#6e7681", "#ffa198", "#56d364", "#e3b341", "#79c0ff", "#d2a8ff", "#56d4dd", "#ffffff"],
  ],
};

/**
 * An animated picture of a terminal. It has a background of its own, so that it looks the same on a light and on a dark
 * page. Viewers without animation show the frame `still`.
 */
export function writeSvg(title: string, frames: readonly Frame[], columns: number, still: Frame): string {
  const rows = Math.max(...frames.map(({ lines }) => lines.length));
  const width = Math.round(columns * CELL_PX + 2 * PADDING_PX);
  const height = BAR_PX + rows * LINE_PX + 2 * PADDING_PX;
  const totalMs = frames.reduce((sum, { ms }) => sum + ms, 0);
  const percent = (ms: number) => `${+((100 * ms) / totalMs).toFixed(3)}%`;
  const rules: string[] = [];
  const groups: string[] = [];
  let fromMs = 0;
  for (const [index, frame] of frames.entries()) {
    const toMs = fromMs + frame.ms;
    const hidden = fromMs === 0 ? "" : "0%{opacity:0}";
    const end = toMs === totalMs ? "" : `${percent(toMs)}{opacity:0}`;
    rules.push(`@keyframes f${index}{${hidden}${percent(fromMs)}{opacity:1}${end}100%{opacity:${end === "" ? 1 : 0}}}`);
    rules.push(`#f${index}{animation:f${index} ${totalMs}ms step-end infinite}`);
    const kind = frame === still ? "frame still" : "frame";
    const heading = `<text x="${width / 2}" y="21.5" text-anchor="middle">${escapeXml(frame.title)}</text>`;
    groups.push(`<g id="f${index}" class="${kind}">\n${heading}\n${frame.lines.map(writeLine).join("")}</g>`);
    fromMs = toMs;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeXml(title)}">
<title>${escapeXml(title)}</title>
<style>
text{font:${FONT_PX}px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:${COLORS.text};white-space:pre}
.frame{opacity:0}.still{opacity:1}.bold{font-weight:600}.dim{opacity:.62}
${COLORS.palette.map((color, index) => `.c${index}{fill:${color}}`).join("")}
${rules.join("\n")}
@media (prefers-reduced-motion:reduce){.frame{animation:none!important}}
</style>
<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="9" fill="${COLORS.paper}" stroke="${COLORS.edge}"/>
<path d="M1 ${BAR_PX}V10a9 9 0 0 1 9-9H${width - 10}a9 9 0 0 1 9 9V${BAR_PX}z" fill="${COLORS.bar}"/>
<circle cx="18" cy="17" r="5.5" fill="#ff5f57"/><circle cx="36" cy="17" r="5.5" fill="#febc2e"/><circle cx="54" cy="17" r="5.5" fill="#28c840"/>
${groups.join("\n")}
</svg>
`;
}

function writeLine(runs: readonly Run[], row: number): string {
  const top = BAR_PX + PADDING_PX + row * LINE_PX;
  return runs.map((run) => `${writeRun(run, top)}\n`).join("");
}

function writeRun({ column, text, style }: Run, top: number): string {
  const { front, back, classes } = readStyle(style);
  const lead = back === null ? text.length - text.trimStart().length : 0;
  const shown = back === null ? text.trim() : text;
  const x = round(PADDING_PX + (column + lead) * CELL_PX);
  const width = round([...shown].length * CELL_PX);
  const names = [...classes, ...(front === null ? [] : [`c${front}`])].join(" ");
  const painted =
    back === null ? "" : `<rect x="${x}" y="${top}" width="${width}" height="${LINE_PX}" rx="3" class="c${back}"/>`;
  const attributes = `x="${x}" y="${top + FONT_PX}" textLength="${width}"${names === "" ? "" : ` class="${names}"`}`;
  return `${painted}<text ${attributes}>${escapeXml(shown)}</text>`;
}

function readStyle({ color, background, isBold, isDim, isInverse }: Style) {
  const classes = [...(isBold ? ["bold"] : []), ...(isDim ? ["dim"] : [])];
  if (!isInverse) return { front: color, back: background, classes };
  return { front: background ?? 0, back: color ?? 15, classes };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
