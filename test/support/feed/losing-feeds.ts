import { begin, end } from "../../../plugins/capabilities/feed/walk.ts"
import { type FeedDesign, type FeedScenario, type FeedStep, ownFeed } from "./feed-model.ts"
import { forget, gone, look, put, read, replicate, serve, setBack, wait } from "./steps.ts"

const designs: Readonly<Record<string, FeedDesign>> = {
  "the mark of the last page": {
    ...ownFeed,
    end(walk, page) {
      const state = end(walk, page)
      if (state === "resync" || page.version === undefined) return state
      const from = Math.max(walk.since, walk.gone)
      return { ...state, mark: { version: page.version, from, isSettled: false } }
    },
  },
  "the mark of the first page, although another page was of another version": {
    ...ownFeed,
    end(walk, page) {
      const version = walk.after ? walk.version : page.version
      return end({ ...walk, version }, { ...page, version })
    },
  },
  "since moves during a walk": {
    ...ownFeed,
    end(walk, page) {
      const state = end(walk, page)
      if (state === "resync" || !state.walk) return state
      const time = state.walk.after[0]
      return { ...state, since: time, gone: time, walk: undefined, mark: undefined }
    },
  },
  "the bound of the last page": {
    ...ownFeed,
    begin(state, moment) {
      const begun = begin(state, moment)
      return "walk" in begun ? { walk: { ...begun.walk, bound: moment.bound } } : begun
    },
  },
  "steps of the clock from an earlier moment than the bound": {
    ...ownFeed,
    moment: (moment, before) => ({ ...moment, steps: before?.steps ?? [] }),
  },
  "a mark that is good whatever the clock did": {
    ...ownFeed,
    begin: (state, moment) =>
      begin(state?.mark ? { ...state, mark: { ...state.mark, from: -1 } } : state, moment),
  },
  "deletions of a list that was not served for a while": {
    ...ownFeed,
    end(walk, page) {
      const state = end(walk, page)
      if (state === "resync") return state
      const lists = Object.entries(state.lists).filter(([, { gone }]) => gone === undefined)
      return { ...state, lists: Object.fromEntries(lists) }
    },
  },
  "a cursor that moves without another read, although servers may be behind": {
    ...ownFeed,
    moment: (moment) => ({ ...moment, areMany: false }),
  },
  "no look at what is forgotten": {
    ...ownFeed,
    end: (walk, page) => end(walk, { ...page, completeSince: 0 }),
  },
  "a bound that is the clock": {
    ...ownFeed,
    moment: (moment) => ({ ...moment, bound: moment.bound + 1 }),
  },
  "a clock that is set back is not minded": {
    ...ownFeed,
    moment: (moment) => ({ ...moment, steps: [] }),
  },
}

/** The servers and the steps with which each design loses: found at random, and shortened. */
const examples: Readonly<Record<string, readonly [servers: number, steps: readonly FeedStep[]]>> = {
  "the mark of the last page": [1, [
    put("guests", 0),
    put("guests", 1),
    put("guests", 0, 1),
    read(0, 1),
    wait(1),
  ]],
  "the mark of the first page, although another page was of another version": [3, [
    put("guests", 1),
    replicate(1, 1),
    put("guests", 0),
    read(0, 1, true),
    read(0, 1),
    read(1, 1),
  ]],
  "since moves during a walk": [1, [
    put("guests", 1),
    setBack(1),
    put("guests", 0),
    put("guests", 2),
    read(0, 1),
    setBack(1),
    read(0, 1),
  ]],
  "the bound of the last page": [1, [
    put("guests", 1, 1),
    wait(1),
    put("guests", 0),
    put("guests", 0),
    put("items", 0),
    read(0, 1),
    read(0, 1, true),
    put("guests", 0),
  ]],
  "steps of the clock from an earlier moment than the bound": [1, [
    setBack(1),
    read(0, 1),
    put("guests", 0),
    wait(1),
    wait(1),
    wait(1),
    put("guests", 1),
  ]],
  "a mark that is good whatever the clock did": [1, [
    read(0, 1),
    setBack(1),
    put("guests", 0),
    read(0, 1),
    wait(1),
    look,
    read(0, 1),
    look,
    read(0, 1),
    read(0, 1),
  ]],
  "deletions of a list that was not served for a while": [1, [
    put("items", 0),
    read(0, 3),
    serve(false),
    wait(1),
    gone("items", 0),
    wait(1),
    look,
    put("guests", 1),
    read(0, 3),
    serve(true),
  ]],
  "a cursor that moves without another read, although servers may be behind": [3, [
    put("guests", 0),
    replicate(1, 9),
    wait(1),
    put("guests", 0),
    read(0, 3),
    read(1, 3, true),
  ]],
  "no look at what is forgotten": [1, [
    put("guests", 0),
    read(0, 1),
    gone("guests", 0),
    put("items", 0),
    wait(1),
    forget(0),
    read(0, 1),
    put("guests", 1),
  ]],
  "a bound that is the clock": [1, [
    put("guests", 0),
    read(0, 1),
    read(0, 1),
    read(0, 1),
    put("guests", 0),
  ]],
  "a clock that is set back is not minded": [1, [
    setBack(1),
    read(0, 1),
    read(0, 1),
    put("guests", 0),
    read(0, 1),
    gone("guests", 1),
  ]],
}

/** Designs that lose, by name, each with a scenario in which it does. */
export const losingFeeds: ReadonlyMap<
  string,
  { readonly design: FeedDesign; readonly scenario: FeedScenario }
> = new Map(
  Object.entries(designs).map(([name, design]) => {
    const [servers = 1, steps = []] = examples[name] ?? []
    return [name, { design, scenario: { servers, startsNow: false, steps } }]
  }),
)
