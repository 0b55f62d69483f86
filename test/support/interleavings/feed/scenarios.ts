import type { FeedStep } from "../../feed/feed-model.ts"
import { gone, look, put, read, replicate, setBack, wait } from "../../feed/steps.ts"
import type { FeedScenario } from "./feed-machine.ts"

const commit = (open: number): FeedStep => ({ do: "end", open, isCommit: true })
const rollBack = (open: number): FeedStep => ({ do: "end", open, isCommit: false })

/** Four records that the client does not have yet. */
const records = [
  put("guests", 0),
  put("guests", 1),
  wait(1),
  put("guests", 2),
  put("items", 0),
  wait(1),
  look,
]

/** The scenarios in which a feed is played, by name. */
export const feedScenarios: Readonly<Record<string, FeedScenario>> = {
  "late changes": {
    servers: 1,
    before: [...records, read(0, 9)],
    actors: {
      "writer A": [put("guests", 0, 0), commit(0)],
      "writer B": [put("guests", 3), put("items", 1)],
      service: [look],
      client: [read(0, 1), read(0, 1), read(0, 1), read(0, 1)],
    },
    ticks: [1],
  },
  "a first walk": {
    servers: 1,
    before: records,
    actors: {
      "writer A": [put("guests", 0, 0), commit(0)],
      "writer B": [put("guests", 3, 1), commit(1)],
      service: [look],
      client: [read(0, 2), read(0, 2), read(0, 2), read(0, 2)],
    },
    ticks: [1],
  },
  "late deletions": {
    servers: 1,
    before: records,
    actors: {
      "writer A": [gone("guests", 0, 0), commit(0)],
      "writer B": [gone("items", 0, 1), rollBack(1)],
      service: [look],
      client: [read(0, 2), read(0, 2), read(0, 2), read(0, 2)],
    },
    ticks: [0, 1],
  },
  "the same again within a second": {
    servers: 1,
    before: [...records, read(0, 9)],
    actors: {
      "writer A": [gone("guests", 0), put("guests", 0), gone("guests", 0)],
      "writer B": [put("guests", 0, 1), commit(1)],
      service: [look],
      client: [read(0, 1), read(0, 1), read(0, 1)],
    },
    ticks: [0],
  },
  "a clock that is set back": {
    servers: 1,
    before: [...records, wait(10), look, read(0, 9)],
    actors: {
      "writer A": [put("guests", 0), gone("guests", 1)],
      clock: [setBack(3)],
      service: [look],
      client: [read(0, 2), read(0, 2), read(0, 2)],
    },
    ticks: [1],
  },
  "two servers": {
    servers: 2,
    before: [...records, replicate(1, 99)],
    actors: {
      "writer A": [put("guests", 0), gone("guests", 1)],
      replica: [replicate(1, 1), replicate(1, 2)],
      service: [look],
      client: [read(0, 3), read(1, 3), read(0, 3), read(1, 3)],
    },
    ticks: [1],
  },
}

/** The designs that lose something in one of the scenarios, and that scenario. */
export const losingScenarios: Readonly<Record<string, string>> = {
  "the mark of the last page": "late changes",
  "since moves during a walk": "late changes",
  "the bound of the last page": "late changes",
  "a bound that is the clock": "late changes",
  "a clock that is set back is not minded": "a clock that is set back",
}
