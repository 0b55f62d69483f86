/** The types of pull.mjs, a client that keeps a copy of fundraising events, their guests and items. */

/** Reads and yields what is new. Throws a `PullError` if that is not possible; run it again later. */
export function sync(options: SyncOptions): AsyncGenerator<Change, void>

/** Runs the command with these arguments. Returns its exit code. */
export function main(
  args: readonly string[],
  environment?: Readonly<Record<string, string | undefined>>,
): Promise<number>

/** An error that ends a run, with the command's exit code. */
export class PullError extends Error {
  readonly exitCode: number
  constructor(exitCode: number, message: string)
}

/** A record of an event: an event itself, a guest or an item. New fields may be added at any time. */
export type ExportRecord = Record<string, unknown> & { id: string; updated: number }

export type List = "events" | "guests" | "items"

/** What happened to your copy. `category` is `events`, `guests`, or a list of items such as `tickets`. */
export type Change =
  | {
    type: "upsert"
    event: string
    list: List
    category: string
    id: string
    record: ExportRecord
    /** Store it with the record: `sweep` is about it. */
    generation: number
  }
  | { type: "delete"; event: string; list: List; category: string; id: string }
  /** All records of the event and list (for items: all categories) with a smaller generation are gone. */
  | { type: "sweep"; event: string; list: List; generation: number }
  /** The event is no longer listed: it was removed, or your access to it ended. Its records stay. */
  | { type: "gone"; event: string }
  /** A point at which the copy and `state` belong together. */
  | { type: "commit"; state: State }

export interface SyncOptions {
  /** The URL of the service, such as `https://export.example.org`. */
  base: string
  /** The path of your family, such as `/acme/v1`. */
  family: string
  /** With a password, pull logs in and keeps the session in the state. */
  user?: string | undefined
  password?: string | undefined
  /** Instead of a password: a token, or a session as a cookie `name=value`. */
  token?: string | undefined
  cookie?: string | undefined
  /** True to send credentials over plain http to other computers. */
  insecure?: boolean | undefined
  /** The state of the last commit, possibly of an earlier version of pull. Without it, everything is read. */
  state?: State | FormerState | undefined
  /** The ids of the events to follow; by default, all that you may read. */
  events?: readonly string[] | undefined
  /**
   * Returns your records of an event and category, ordered by id. With it, the copy is compared with the
   * service once a day, and repaired.
   */
  copy?: ((event: string, category: string) => Iterable<CopiedRecord>) | undefined
  /** Compares now: the ids and times of the records, or their content. */
  check?: "ids" | "content" | undefined
  /** Seconds that the service may hold the first request until something changes, if it can. */
  wait?: number | undefined
  /** Records per response (default: 1000, and 10,000 of an export). */
  limit?: number | undefined
  /** Seconds until a request counts as failed (default 60). */
  timeout?: number | undefined
  /** Seconds that may be spent waiting before repeating failed requests (default 300). */
  patience?: number | undefined
  signal?: AbortSignal | undefined
  /** Called before each request. */
  onRequest?: (() => void) | undefined
}

/** The parts of a record to compare. `json` is `JSON.stringify(record)`; only `check: "content"` needs it. */
export interface CopiedRecord {
  id: string
  updated: number
  json?: string
}

/** The state of a copy. It is plain JSON and contains a session: keep it as secret as the copy. */
export interface State {
  version: 2
  /** The service and family of the copy. */
  source: string
  /** The cookie of the user's session. */
  session: { user: string; cookie: string } | null
  /** The tag of the list of events. */
  eventsTag: string | null
  /** True if the service held the last request that asked for it. */
  waits: boolean
  /** Tells which fields records have: the header `Fields` of the feed's last response. */
  fields?: string | null
  events: Record<string, EventState>
}

export interface EventState {
  /** When the event changed, according to the list; undefined if the service does not tell. */
  changed?: number | null | undefined
  /** True if the event is no longer listed. */
  gone?: true | undefined
  /** Where the feed continues; null before its beginning. */
  cursor: string | null
  /** The tag of the last response of the feed. */
  tag: string | null
  /** The exports that have yet to be read; null until it is known whether the lists are long. */
  exports: { list: "guests" | "items"; url: string }[] | null
  /** How many times a full read has begun. */
  generation: number
  /** True until everything has been read, and records that were not in it have been removed. */
  unswept: boolean
  /** The copy has all changes from before this time; null if unknown. */
  upTo: number | null
  /** When the copy was last compared with the digests; null if never. */
  checked: number | null
  /** By list, which fields its records have: the header `Fields`. */
  fields: { guests?: string | null; items?: string | null }
}

/** The state of pull 1.2 and earlier. Everything is read again, and the records stay until then. */
export interface FormerState {
  version: 1
  source: string
  session: { user: string; cookie: string } | null
  events: Record<string, { gone?: true }>
  lists: Record<string, { generation: number }>
}
