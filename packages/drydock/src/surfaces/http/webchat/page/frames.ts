/** What the server says to the page of a chat. Both of them import it. */
export type Frame =
  | { type: "ready"; visitor: string; title: string; greeting: string | null; files: boolean; history: Said[] }
  | { type: "reset"; history: Said[] }
  | ({ type: "message" } & Said)
  | { type: "working"; run: string }
  | { type: "delta"; run: string; text: string }
  | { type: "ended"; run: string; ok: boolean };

export interface Said {
  from: "visitor" | "agent";
  /** The event that it belongs to. */
  event: string;
  text: string;
  files: ChatFile[];
}

export interface ChatFile {
  id: string;
  name: string;
  mime: string;
  size: number;
}
