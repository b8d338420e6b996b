import { type Html, html } from "./html.ts";

interface Mark {
  symbol: string;
  tone: "good" | "bad" | "warn" | "doubt" | "busy" | "idle";
  /** What is written instead of the state's own name. */
  text?: string;
}

/** Each state by colour and by symbol: neither a printer nor an eye that sees no red loses it. */
const MARKS: Record<string, Mark> = {
  passed: { symbol: "✓", tone: "good" },
  done: { symbol: "✓", tone: "good" },
  succeeded: { symbol: "✓", tone: "good" },
  failed: { symbol: "✗", tone: "bad" },
  refused: { symbol: "⊘", tone: "bad" },
  lost: { symbol: "✗", tone: "bad" },
  cancelled: { symbol: "–", tone: "warn" },
  stale: { symbol: "!", tone: "warn" },
  paused: { symbol: "‖", tone: "warn" },
  interrupted: { symbol: "!", tone: "warn" },
  unproven: { symbol: "≈", tone: "doubt", text: "UNPROVEN" },
  unverified: { symbol: "?", tone: "warn" },
  doing: { symbol: "▸", tone: "busy" },
  running: { symbol: "▸", tone: "busy" },
  queued: { symbol: "○", tone: "idle" },
  todo: { symbol: "○", tone: "idle" },
};

export function markOf(state: string): Mark {
  return MARKS[state] ?? { symbol: "?", tone: "idle" };
}

export function renderBadge(state: string): Html {
  const { symbol, tone, text = state } = markOf(state);
  return html`<span class="badge ${tone}"><span aria-hidden="true">${symbol}</span> ${text}</span>`;
}

export function renderNote(text: string): Html {
  return html`<p class="note">${text}</p>`;
}
