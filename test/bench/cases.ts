import type { BenchData, EventName } from "./data.ts"

/** A request that all servers are measured with. */
export interface Case {
  readonly name: string
  /** A description for people. */
  readonly summary: string
  /** The event that the case needs. */
  readonly event: EventName
  readonly shape: "full" | "lean"
  /** Returns the query string of the n-th request. */
  query(n: number, data: BenchData): string
  /** The number of different requests; 1 if all are the same, like polls of an unchanged page. */
  readonly variants: number
  readonly list: "guests" | "items"
  /** True if ours may use its page cache, as by default. */
  readonly cached: boolean
  /** True if a writer changes records of the event during the load. */
  readonly changing?: true
  /** The number of first requests, among which `since` is in braces: so many seconds before the newest change. */
  readonly deltas?: number
  /** True for one partner who walks through all pages by following links. The rate is that of records. */
  readonly walks?: true
  /** True for a new process per turn, whose caches are empty. It first serves a walk through another event. */
  readonly cold?: true
  /** True if requests carry the server's own entity tag, for servers that support it. */
  readonly conditional?: true
  /** True if the requests are of many sessions, in turn; else of one, as those of a partner are. */
  readonly apart?: true
  /** True if requests to ours use the cursor of the previous page; requests to others use offset. */
  readonly byCursor?: true
  /** The targets for ours: the least ratio of requests per second to each rival's. */
  readonly targets?: { readonly peer: number; readonly floor: number }
}

const page = 1000
/** Enough that no two of 8 connections send the same request at the same time. */
const several = 32
const deep = 50_000

const guests = { event: "large", list: "guests", shape: "full", variants: several } as const

const polls = {
  ...guests,
  variants: 100_000,
  query: (n: number, { newest }: BenchData) => `since=${newest + 1 + n}`,
  cached: true,
} as const

/** So many different requests that none is in the page cache. */
const live = { ...guests, variants: 100_000, query: everything, cached: true } as const

/** Each `since` of 1970 means everything. All differ, so that no response serves two requests. */
export function everything(n: number): string {
  return `since=${n}&limit=${page}`
}

/** Seconds from a poll to the next one of the same session, at most. */
const longestPause = 6

/**
 * What has changed since another poll. The limits, which no response reaches, differ, so that no response serves two
 * requests: within a second of changes, 6,300 requests do.
 */
function changedSince(n: number): string {
  const pauses = longestPause + 1
  return `since={${n % pauses}}&limit=${page - Math.floor(n / pauses) % 900}`
}

/** All cases, in the order of measurement. */
export const cases: readonly Case[] = [
  {
    ...polls,
    name: "empty-poll",
    summary: "a poll that finds nothing new",
    targets: { peer: 2.2, floor: 0.6 },
  },
  {
    ...polls,
    name: "empty-poll-apart",
    summary: "the same, of 200 sessions in turn",
    apart: true,
    targets: { peer: 1.6, floor: 0.4 },
  },
  {
    ...guests,
    name: "unchanged-304",
    summary: "an unchanged page of 1,000 guests, If-None-Match",
    variants: 1,
    query: everything,
    cached: true,
    conditional: true,
    targets: { peer: 40, floor: 35 },
  },
  {
    ...guests,
    name: "unchanged-200",
    summary: "an unchanged page of 1,000 guests, in full",
    variants: 1,
    query: everything,
    cached: true,
    targets: { peer: 18, floor: 15 },
  },
  {
    ...live,
    name: "live-page",
    summary: "1,000 guests, full, of an event that changes",
    changing: true,
    targets: { peer: 8, floor: 8 },
  },
  {
    ...live,
    name: "live-page-lean",
    summary: "1,000 guests, lean, of an event that changes",
    shape: "lean",
    changing: true,
    targets: { peer: 8, floor: 8 },
  },
  {
    ...live,
    name: "live-items",
    summary: "6 × 1,000 items, full, of an event that changes",
    event: "bazaar",
    list: "items",
    changing: true,
    targets: { peer: 6, floor: 5 },
  },
  {
    ...live,
    name: "live-offset",
    summary: "1,000 guests from offset 50,000 of an event that changes",
    query: (n) => `${everything(n)}&offset=${deep}`,
    changing: true,
    targets: { peer: 40, floor: 40 },
  },
  {
    ...live,
    name: "delta-poll",
    summary:
      "the 5 to 35 guests, 20 on average, that changed since a poll 0 to 6 s ago, of 200 sessions in turn",
    event: "middle",
    query: changedSince,
    changing: true,
    deltas: longestPause + 1,
    apart: true,
    targets: { peer: 3, floor: 2 },
  },
  {
    ...live,
    name: "live-walk",
    summary: "a walk through 100,000 guests of an event that changes",
    changing: true,
    walks: true,
    targets: { peer: 8, floor: 8 },
  },
  {
    ...live,
    name: "cold-walk",
    summary: "a walk through 100,000 guests, with empty caches",
    walks: true,
    cold: true,
    targets: { peer: 1, floor: 1 },
  },
  {
    ...guests,
    name: "guests-full",
    summary: "1,000 guests, full",
    query: everything,
    cached: false,
    targets: { peer: 1, floor: 1 },
  },
  {
    ...guests,
    name: "guests-lean",
    summary: "1,000 guests, lean",
    shape: "lean",
    query: everything,
    cached: false,
    targets: { peer: 1, floor: 1 },
  },
  {
    ...guests,
    name: "offset",
    summary: "1,000 guests from offset 50,000",
    query: (n) => `${everything(n)}&offset=${deep}`,
    cached: false,
    targets: { peer: 5, floor: 4 },
  },
  {
    ...guests,
    name: "cursor",
    summary: "the same by cursor, rivals by offset",
    query: (n) => `${everything(n)}&offset=${deep}`,
    cached: false,
    byCursor: true,
    targets: { peer: 10, floor: 8 },
  },
  {
    name: "bundle",
    summary: "6 × 1,000 items, full",
    event: "bazaar",
    list: "items",
    shape: "full",
    variants: several,
    query: everything,
    cached: false,
    targets: { peer: 1, floor: 1 },
  },
  {
    ...live,
    name: "search",
    summary: "q on 20,000 guests of an event that changes",
    event: "middle",
    query: (n) => `${everything(n)}&q=guest1234`,
    changing: true,
    targets: { peer: 5, floor: 5 },
  },
]
