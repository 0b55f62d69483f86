/** What a request reads, in the order of reading. */
export type Part = "clock" | "look" | "page"

/** How a service lists records. */
export interface Design {
  readonly order: "newest first" | "oldest first" | "by id"
  /** True if deleted records keep their positions while `offset` is counted. */
  readonly keepsPositions: boolean
  /** Seconds for which a changed record is hidden; 0 hides what is newer than the clock. */
  readonly hides?: number
  /** What readers keep as their next `since`. */
  readonly since: "watermark" | "clock" | "max(updated)"
  /** Seconds between the clock and the next `since`, if that is no watermark. */
  readonly lag: number
  /** The dirty read of the log is the look, the snapshot is the page. */
  readonly parts: readonly Part[]
  /** Which changes hold the watermark back: those that the page lacks, or those open at the look. */
  readonly open: "lacking" | "uncommitted"
  /** Where the look is. A follower learns of a change when it is committed. */
  readonly looksAt: "the primary" | "a follower"
  /** True if a watermark is from the previous request of anybody. */
  readonly early: boolean
  /** When a record gets its `updated`: with the row of the log, before, or when its statement begins. */
  readonly stamps: "with the row" | "a second before the row" | "at the beginning"
  /** Seconds that the watermark stays behind, for stamps from before the row. */
  readonly margin: number
  /** What a tag is made of: the bytes, and the event's version always, never, or only for some pages. */
  readonly tag: "bytes" | "bytes and version" | "version if more" | "version unless empty"
  /** What the tag of a page of deletions is made of. */
  readonly deletionsTag: "bytes and version" | "bytes"
  /** When readers store their next `since` and tags. */
  readonly readersStore: "at the end of a poll" | "at the first page"
  /** Which page's Next-Since readers keep. */
  readonly readersKeep: "the first" | "the last"
}

/** The design of the service. */
export const real: Design = {
  order: "newest first",
  keepsPositions: true,
  since: "watermark",
  lag: 0,
  parts: ["clock", "look", "page"],
  open: "lacking",
  looksAt: "the primary",
  early: false,
  stamps: "with the row",
  margin: 0,
  tag: "bytes and version",
  deletionsTag: "bytes",
  readersStore: "at the end of a poll",
  readersKeep: "the first",
}
