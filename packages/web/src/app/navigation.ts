import type { IconName } from "../parts/icon.tsx";
import type { Key } from "../words/words.ts";

/** The entries of the side, in their order. A page that is not named here is reached from another page. */
export const NAVIGATION = [
  { to: "/", icon: "start", word: "nav.start" },
  { to: "/new", icon: "plus", word: "nav.newRun" },
  { to: "/runs", icon: "runs", word: "nav.runs" },
  { to: "/playground", icon: "flask", word: "nav.playground" },
  { to: "/chat", icon: "chat", word: "nav.chat" },
  { to: "/agents", icon: "agents", word: "nav.agents" },
  { to: "/approvals", icon: "check", word: "nav.approvals" },
  { to: "/policy", icon: "shield", word: "nav.policy" },
  { to: "/setup", icon: "blocks", word: "nav.setup" },
  { to: "/operations", icon: "chart", word: "nav.operations" },
] as const satisfies readonly { to: string; icon: IconName; word: Key }[];
