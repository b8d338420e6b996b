const KIB = 1024;
const MIB = 1024 * KIB;

/** Bounds of the protocol between the host and a runner. Bytes are those of UTF-8. */
export const RUNNER_LIMITS = {
  /** One line of a plugin. A longer one ends the runner process. */
  lineBytes: 4 * MIB,
  /** One line of the host. It holds `artifactRangeBytes` in base64. */
  hostLineBytes: 16 * MIB,
  /** One result. The text of a larger one is cut to `cutTextChars`. */
  resultBytes: MIB,
  cutTextChars: 10_000,
  /** Content of an artifact that a result carries itself. */
  inlineArtifactBytes: MIB,
  artifactReadBytes: MIB,
  artifactRangeBytes: 10 * MIB,
  artifactRangeDefaultBytes: 64 * KIB,
  /** Items of a page. One that does not fit alone is shortened to its text. */
  pageBytes: 2 * MIB,
  pageItems: 100,
  pageDefaultItems: 50,
  searchItems: 100,
  searchDefaultItems: 10,
  rerankDocuments: 64,
  stateValueBytes: 256 * KIB,
  /** All keys and values of one scope's state. */
  stateScopeBytes: 4 * MIB,
  /** Values of one scope that a run is given when it starts. The others are read by calls. */
  contextStateBytes: MIB,
  stateKeyChars: 255,
  stateListItems: 100,
  storageValueBytes: 10 * MIB,
  /** All that a plugin has stored, as base64; the same for what it has stored for one workspace. */
  storageBytes: 256 * MIB,
  steeringQueueItems: 100,
  steeringPullItems: 100,
  summaryChars: 1000,
  transcriptTextChars: 4000,
  runSeconds: 300,
} as const;
