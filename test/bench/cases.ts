import type { BenchData, EventName } from "./data.ts"
import type { Changing } from "./writer.ts"

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
  /** What a writer changes during the load. */
  readonly changing?: Changing
  /** True for one partner who walks through all pages by following links. The rate is that of records. */
  readonly walks?: true
  /** True for a new process per turn, whose caches are empty. It first serves a walk through another event. */
  readonly cold?: true
  /** True if requests carry the server's own entity tag, for servers that support it. */
  readonly conditional?: true
  /** True if each connection has its own session; else they share one, as those of a partner do. */
  readonly apart?: true
  /** True if requests to ours use the cursor of the previous page; requests to others use offset. */
  readonly byCursor?: true
  /** True if the rivals find keys first; else they use a plain join, which is faster on first pages. */
  readonly keysFirst?: true
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
function everything(n: number): string {
  return `since=${n}&limit=${page}`
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
    summary: "the same, with one session per connection",
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
    changing: "guests",
    targets: { peer: 8, floor: 8 },
  },
  {
    ...live,
    name: "live-page-lean",
    summary: "1,000 guests, lean, of an event that changes",
    shape: "lean",
    changing: "guests",
    targets: { peer: 8, floor: 8 },
  },
  {
    ...live,
    name: "live-items",
    summary: "6 × 1,000 items, full, of an event that changes",
    event: "bazaar",
    list: "items",
    changing: "items",
    targets: { peer: 6, floor: 5 },
  },
  {
    ...live,
    name: "live-walk",
    summary: "a walk through 100,000 guests of an event that changes",
    changing: "guests",
    walks: true,
    targets: { peer: 8, floor: 8 },
  },
  {
    ...live,
    name: "cold-walk",
    summary: "a walk through 100,000 guests, with empty caches",
    walks: true,
    cold: true,
    targets: { peer: 1, floor: 0.95 },
  },
  {
    ...guests,
    name: "guests-full",
    summary: "1,000 guests, full",
    query: everything,
    cached: false,
    targets: { peer: 1.3, floor: 1.1 },
  },
  {
    ...guests,
    name: "guests-lean",
    summary: "1,000 guests, lean",
    shape: "lean",
    query: everything,
    cached: false,
    targets: { peer: 1.4, floor: 1.2 },
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
    ...guests,
    name: "offset-keys",
    summary: "offset 50,000, rivals with keys first",
    query: (n) => `${everything(n)}&offset=${deep}`,
    cached: false,
    keysFirst: true,
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
    targets: { peer: 1.3, floor: 1 },
  },
  {
    ...guests,
    name: "search",
    summary: "q on 20,000 guests",
    event: "middle",
    query: (n) => `${everything(n)}&q=guest1234`,
    cached: false,
  },
]
