/** Bounds of what reaches the host. Bytes are those of JSON in UTF-8. */
export const HOST_LIMITS = {
  /** One event with all that it carries. */
  eventBytes: 4 * 1024 * 1024,
  /** Files that an event of a source brings along, beside its JSON. */
  files: 20,
  fileBytes: 20 * 1024 * 1024,
  pageItems: 100,
  pageDefaultItems: 50,
} as const;
