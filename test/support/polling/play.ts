import { randomUUID } from "node:crypto"
import type { Test } from "tap"
import type { Category } from "../../../core/records/kinds/categories.ts"
import { pruneChangeLog } from "../../../core/change-log/prune.ts"
import type { Engine } from "../database.ts"
import { ListSource, type Source } from "../partner/list-source.ts"
import { type CopyReader, Reader } from "../partner/reader.ts"
import { getFrom } from "../partner/reply.ts"
import { ChosenList, chosenPath } from "./chosen.ts"
import type { Scenario } from "./scenarios.ts"
import { freshClocked } from "./service.ts"
import { Writer } from "./writer.ts"

/** A list of a family. */
export interface WalkedList {
  readonly path: string
  readonly list: "guests" | "items"
  readonly account: string
}

/** All lists of all families. */
export const lists: readonly WalkedList[] = [
  { path: "/acme/v1", list: "guests", account: "acme-export" },
  { path: "/acme/v1", list: "items", account: "acme-export" },
  { path: "/connector-a/v1", list: "guests", account: "partner" },
  { path: "/connector-b/v1", list: "guests", account: "partner" },
  { path: "/connector-b/v1", list: "items", account: "partner" },
  { path: chosenPath, list: "guests", account: "partner" },
]

export type Walks = Awaited<ReturnType<typeof openWalks>>

/** What reads a copy of an event. */
interface PlayedReader extends CopyReader {
  poll(): Promise<unknown>
  readonly linkedToNothing: number
}

/** Opens a database with the service and a writer, in which scenarios can be played one after the other. */
export async function openWalks(t: Test, engine: Engine) {
  const { world, app, instances, changes, cookies, build, organization } = await freshClocked(
    t,
    engine,
  )
  const writer = new Writer(world)
  /** Of the scenario that is played, if its family has a filter. */
  const played: { chosen?: ChosenList | undefined } = {}
  const note = async () => void await played.chosen?.note()
  const sourceOf = ({ path, list, account }: WalkedList, event: string): ListSource => {
    const get = getFrom(app, cookies[account] ?? "")
    if (path === chosenPath) return played.chosen = new ChosenList(get, world.database, event)
    return new ListSource(get, `${path}/events/${event}`, { list })
  }

  /** Runs a scenario, and returns its reader of a list with the copy. */
  async function play(
    scenario: Scenario,
    { list, sourceOf, deletions }: {
      readonly list: "guests" | "items"
      readonly sourceOf: (event: string) => Source
      readonly deletions: boolean
    },
  ): Promise<Reader> {
    const { kind, limit, deletionsFirst, categories } = scenario
    const parts = deletionsFirst
      ? ["deletions", "records"] as const
      : ["records", "deletions"] as const
    const options = { kind, limit, parts: deletions ? parts : ["records"] as const }
    const written = list === "guests" ? ["guests"] as const : categories
    const isBundle = list === "items"
    return await playBy(
      scenario,
      written,
      (event) => new Reader(sourceOf(event), { ...options, isBundle }),
    )
  }

  /** Runs a scenario in which records of some categories are written, and returns its reader with the copy. */
  async function playBy<R extends PlayedReader>(
    { records, age, steps }: Scenario,
    written: readonly Category[],
    readerOf: (event: string) => R,
  ): Promise<R> {
    // A failed scenario may have left a transaction open.
    await writer.commit()
    played.chosen = undefined
    world.clock.now += 1000
    const event = randomUUID()
    await build.event(organization, { id: event, name: event })
    writer.begin(event, written, { guestsConsent: records.length % 2 === 1 })
    for (const [target, seconds] of records.entries()) {
      writer.wait(seconds)
      await writer.change({ operation: "insert", target, late: false })
    }
    writer.wait(age)
    const reader = readerOf(event)
    const now = () => world.clock.now
    for (const step of steps) {
      // A write commits what is open there: who consented in between is gone after it.
      if (engine === "sqlite" && step.do === "write") await writer.commit()
      await note()
      if (step.do === "write") await writer.change(step.change)
      else if (step.do === "wait") writer.wait(step.seconds)
      else if (step.do === "set back") world.clock.now -= step.seconds
      else if (step.do === "look") {
        await changes.look()
        await changes.versions.fold()
      } else if (step.do === "prune") {
        // On the embedded database, the builder's changes have the time of the machine.
        await world.database.writer.updateTable("event_change").set({ at: 0 })
          .where("at", ">", now()).execute()
        await pruneChangeLog(world.database, step.seconds)
      } else if (step.do === "commit") await writer.commit()
      else if (step.do === "roll back") await writer.rollBack()
      else if (step.do === "crash") reader.crash()
      else await reader.read()
    }
    await note()
    await writer.commit()
    // Finishes the current poll, then polls once more.
    await reader.poll()
    const { linkedToNothing } = reader
    // Meanwhile a second passes, after which the service knows that the clock was set back.
    await changes.look()
    await reader.poll()
    if (reader.linkedToNothing > linkedToNothing) {
      throw new Error("a Link leads to an empty page, although nothing has changed")
    }
    return reader
  }

  return {
    world,
    app,
    cookies,
    instances,
    changes,
    build,
    organization,
    writer,
    sourceOf,
    play,
    playBy,
  }
}
