import type { BenchData, EventName } from "./data.ts"

/** One question that all servers are asked. */
export interface Case {
  readonly name: string
  /** For people. */
  readonly summary: string
  /** The event that it needs. */
  readonly event: EventName
  readonly shape: "full" | "lean"
  /** What follows `/guests` or `/items` for the n-th request. */
  query(n: number, data: BenchData): string
  /** How many requests differ; 1 where all ask for the same, as polls of a page that is unchanged do. */
  readonly variants: number
  readonly list: "guests" | "items"
  /** True where ours may answer from its cache of pages, as it does by default. */
  readonly cached: boolean
  /** True where the servers that know entity tags are sent their own. */
  readonly conditional?: true
  /** Each connection has a session of its own; otherwise they share one, as one partner's do. */
  readonly apart?: true
  /** Ours is asked by the cursor of the page before, the others by offset. */
  readonly byCursor?: true
  /** The rivals find keys first; otherwise they join plainly, as is faster on first pages. */
  readonly keysFirst?: true
  /** What ours is to reach, as a ratio of requests a second to theirs. */
  readonly targets?: { readonly peer: number; readonly floor: number }
}

const page = 1000
/** Enough that no two of 8 connections ask for the same at the same time. */
const several = 32
const deep = 50_000

const guests = { event: "large", list: "guests", shape: "full", variants: several } as const

const polls = {
  ...guests,
  variants: 100_000,
  query: (n: number, { newest }: BenchData) => `since=${newest + 1 + n}`,
  cached: true,
} as const

/** Every `since` of 1970 means everything; no two are equal, so that no answer serves two requests. */
function everything(n: number): string {
  return `since=${n}&limit=${page}`
}

/** All cases, in the order in which they are measured. */
export const cases: readonly Case[] = [
  {
    ...polls,
    name: "empty-poll",
    summary: "a poll that finds nothing new",
    targets: { peer: 4, floor: 0.65 },
  },
  {
    ...polls,
    name: "empty-poll-apart",
    summary: "the same, each connection with a session of its own",
    apart: true,
  },
  {
    ...guests,
    name: "unchanged-304",
    summary: "an unchanged page of 1,000 guests, If-None-Match",
    variants: 1,
    query: everything,
    cached: true,
    conditional: true,
    targets: { peer: 40, floor: 30 },
  },
  {
    ...guests,
    name: "unchanged-200",
    summary: "an unchanged page of 1,000 guests, in full",
    variants: 1,
    query: everything,
    cached: true,
    targets: { peer: 10, floor: 8 },
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
    summary: "the same by cursor, theirs by offset",
    query: (n) => `${everything(n)}&offset=${deep}`,
    cached: false,
    byCursor: true,
    targets: { peer: 10, floor: 8 },
  },
  {
    ...guests,
    name: "offset-keys",
    summary: "offset 50,000, theirs with keys first",
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
