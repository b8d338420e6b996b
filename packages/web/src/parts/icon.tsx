const PATHS = {
  runs: "M3 5h10M3 8h10M3 11h6",
  start: "M8 2.5 13 7v6H3V7zM6.5 13V9.5h3V13",
  chat: "M3 3h10v8H7.5L4.5 13.5V11H3z",
  agents: "M3.5 6h9v7h-9zM8 6V3M6.3 9v.8M9.7 9v.8",
  chart: "M2.5 13.5h11M4.5 11V8M8 11V4M11.5 11V6.5",
  blocks: "M2.5 9h4.5v4.5H2.5zM9 9h4.5v4.5H9zM5.75 2.5h4.5V7h-4.5z",
  plus: "M8 3v10M3 8h10",
  play: "M5 3.5v9l7-4.5z",
  shield: "M8 2 3.5 3.8v3.7c0 3 2 5.3 4.5 6.5 2.5-1.2 4.5-3.5 4.5-6.5V3.8z",
  search: "M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM11 11l3 3",
  check: "m3 8.5 3.2 3.2L13 5",
  cross: "m4 4 8 8M12 4l-8 8",
  dash: "M4 8h8",
  question: "M6 6a2 2 0 1 1 2.6 1.9c-.4.2-.6.5-.6 1v.4M8 11.6v.1",
  dot: "M8 9.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3",
  pause: "M6 4v8M10 4v8",
  chevron: "m6 4 4 4-4 4",
  down: "m4 6 4 4 4-4",
  sun: "M8 10.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5M8 1.5V3M8 13v1.5M1.5 8H3M13 8h1.5M3.4 3.4l1 1M11.6 11.6l1 1M12.6 3.4l-1 1M4.4 11.6l-1 1",
  globe: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM2 8h12M8 2c2 2 2.6 4 2.6 6S10 12 8 14M8 2C6 4 5.4 6 5.4 8S6 12 8 14",
  leave: "M6 3H3v10h3M10 5l3 3-3 3M13 8H6.5",
  file: "M4 2h5l3 3v9H4zM9 2v3h3",
  download: "M8 2.5v7M5 7l3 3 3-3M3 13h10",
  flask: "M6.5 2.5h3M7 2.5v4L3.5 12a1 1 0 0 0 .9 1.5h7.2a1 1 0 0 0 .9-1.5L9 6.5v-4M5 10h6",
  terminal: "M2.5 3.5h11v9h-11zM5 6.5 7 8 5 9.5M8.5 10H11",
  back: "M6 4 3 7l3 3M3 7h6a3.5 3.5 0 0 1 0 7H7",
  fork: "M5 3.5v4.5a2 2 0 0 0 2 2h2a2 2 0 0 1 2 2v1M5 8v5M5 3.5h.01M3.5 3.5a1.5 1.5 0 1 0 3 0 1.5 1.5 0 1 0-3 0",
  stop: "M4.5 4.5h7v7h-7z",
  trash: "M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.6 9h5.8l.6-9",
  menu: "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
  link: "M6.5 9.5l3-3M7 4.5l1-1a2.5 2.5 0 0 1 3.5 3.5l-1 1M9 11.5l-1 1A2.5 2.5 0 0 1 4.5 9l1-1",
} as const;
export type IconName = keyof typeof PATHS;

/** Beside a text that says the same. */
export function Icon({ name, className = "size-4" }: { name: IconName; className?: string }) {
  return (
    <svg viewBox="0 0 16 16" className={`${className} shrink-0`} fill="none" aria-hidden="true">
      <path d={PATHS[name]} stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}
