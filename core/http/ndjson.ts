/** The media types of NDJSON, which are names of the same. */
export const ndjsonTypes = [
  "application/x-ndjson",
  "application/ndjson",
  "application/jsonl",
  "application/x-jsonlines",
] as const
