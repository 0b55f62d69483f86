import { misconfigured } from "./errors.ts"
import type { Change, EventState, State, SyncOptions } from "../pull.d.mts"

/** Returns a commit with a copy of the state that later changes do not affect. */
export function commitOf(state: State): Change {
  return { type: "commit", state: structuredClone(state) }
}

/** Returns the initial state. After a state of version 1, everything is read again. */
export function stateOf({ base, family, state: last }: SyncOptions): State {
  const source = new URL(base).origin + family
  const none = { session: null, eventsTag: null, waits: false, events: {} }
  const first: State = { version: 2, source, ...none }
  if (!last || last.source !== source && Object.keys(last.events).length === 0) return first
  if (last.source !== source || ![1, 2].includes(last.version)) {
    const advice = "choose another place for the copy"
    throw misconfigured(`this copy is of ${last.source}, not of ${source}: ${advice}`)
  }
  if (last.version === 2) return structuredClone(last)
  const generation = Math.max(0, ...Object.values(last.lists).map((list) => list.generation))
  for (const [id, { gone }] of Object.entries(last.events)) {
    first.events[id] = { ...unread(generation), gone }
  }
  return { ...first, session: last.session }
}

/** Returns the state of an event of which all records have to be read, for the first time or again. */
export function unread(generation: number): EventState {
  const nothing = { cursor: null, tag: null, exports: null, upTo: null, checked: null, fields: {} }
  return { ...nothing, generation: generation + 1, unswept: true }
}
