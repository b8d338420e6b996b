/** One thing that was looked at, what was found, and what to do about it. */
export interface Finding {
  name: string;
  state: "ok" | "limited" | "missing";
  detail: string;
  remedy?: string;
}

export interface DoctorReport {
  ok: boolean;
  level: "cgroups" | "rlimits" | "landlock" | "none";
  findings: Finding[];
  /** Medians, in milliseconds: bare start of the interpreter against a warm run in the dock. */
  timings: { name: string; bareMs: number; dockMs: number }[];
}
