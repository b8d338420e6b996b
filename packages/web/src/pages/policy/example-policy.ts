/** What a first policy may look like. All of it is valid as it stands. */
export const EXAMPLE_POLICY = `version: 1
network:
  allow: ["api.example.org:443"]
files:
  hide: ["secrets/**"]
commands:
  deny: ["git push *"]
limits:
  wallSeconds: { default: 30, max: 120 }
`;
