import { FitAddon } from "@xterm/addon-fit";
import { type ITheme, Terminal } from "@xterm/xterm";
import "@xterm/xterm/css/xterm.css";
import { confineSpans, withStandIns } from "./confine-styles.ts";

export interface Screen {
  readonly size: { columns: number; rows: number };
  /** Output of the program, which nobody trusts. */
  show(bytes: Uint8Array): void;
  focus(): void;
  close(): void;
}

export interface ScreenOptions {
  label: string;
  onKeys(keys: string): void;
  onResize(columns: number, rows: number): void;
}

/** Codes that would make a link, set a title, or speak to the clipboard. Nothing is done for them. */
const IGNORED_COMMANDS = [0, 1, 2, 8, 52, 1337];
/** Characters that change the direction of a line: what is read would not be what is there. */
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/g;
const SCROLLBACK_LINES = 5000;

/** A terminal in the page, in its colours. It is loaded with the first one that is opened. */
export function openScreen(node: HTMLElement, { label, onKeys, onResize }: ScreenOptions): Screen {
  const terminal = new Terminal({
    cols: 80,
    rows: 24,
    cursorBlink: false,
    fontFamily: "ui-monospace, 'SF Mono', 'Cascadia Code', Menlo, Consolas, 'DejaVu Sans Mono', monospace",
    fontSize: 13,
    screenReaderMode: true,
    scrollback: SCROLLBACK_LINES,
    theme: readTheme(),
    linkHandler: { activate: () => {} },
  });
  for (const code of IGNORED_COMMANDS) terminal.parser.registerOscHandler(code, () => true);
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  confineSpans();
  withStandIns(document, () => terminal.open(node));
  terminal.textarea?.setAttribute("aria-label", label);
  fit.fit();
  terminal.onData(onKeys);
  terminal.onResize(({ cols, rows }) => onResize(cols, rows));
  const observer = new ResizeObserver(() => fit.fit());
  observer.observe(node);
  const scheme = window.matchMedia("(prefers-color-scheme: dark)");
  const recolor = () => {
    terminal.options.theme = readTheme();
  };
  scheme.addEventListener("change", recolor);
  const themes = new MutationObserver(recolor);
  themes.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  const decoder = new TextDecoder();
  return {
    size: { columns: terminal.cols, rows: terminal.rows },
    show: (bytes) => terminal.write(decoder.decode(bytes, { stream: true }).replaceAll(DIRECTIONS, "\ufffd")),
    focus: () => terminal.focus(),
    close() {
      observer.disconnect();
      themes.disconnect();
      scheme.removeEventListener("change", recolor);
      terminal.dispose();
    },
  };
}

/** The colours of the page as they are now. */
function readTheme(): ITheme {
  const probe = document.createElement("span");
  document.body.append(probe);
  const read = (name: string) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const [black, red, green, yellow, blue, magenta, cyan, white] = Array.from({ length: 8 }, (_, at) =>
    read(`--ansi-${at}`),
  );
  const theme = {
    ...{
      background: read("--sunken"),
      foreground: read("--ink"),
      cursor: read("--accent"),
      cursorAccent: read("--sunken"),
    },
    selectionBackground: read("--line-strong"),
    ...{ black, red, green, yellow, blue, magenta, cyan, white, brightBlack: read("--soft"), brightRed: red },
    ...{ brightGreen: green, brightYellow: yellow, brightBlue: blue, brightMagenta: magenta, brightCyan: cyan },
    brightWhite: read("--ink"),
  };
  probe.remove();
  return theme;
}
