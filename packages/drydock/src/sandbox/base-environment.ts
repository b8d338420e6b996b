/** What every run finds in its environment, before the policy adds to it. */
export const BASE_ENVIRONMENT = {
  PATH: "/drydock/bin:/usr/local/bin:/usr/bin:/bin",
  HOME: "/home/dock",
  TMPDIR: "/tmp",
  LANG: "C.UTF-8",
  USER: "dock",
  LOGNAME: "dock",
  MPLBACKEND: "Agg",
  MPLCONFIGDIR: "/tmp",
};
