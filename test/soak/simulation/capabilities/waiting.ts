import { sql } from "kysely"
import type { Random } from "../../../support/random.ts"
import type { Client, Got } from "../client.ts"
import { anyService, ask, isPassing } from "../readers/asking.ts"
import { pageOf } from "../../../support/partner/feed-reader.ts"
import { wasSetBackBefore } from "../readers/list-reader.ts"
import { firstEvent } from "../readers/first-events.ts"
import { type Simulation, Violation } from "../simulation.ts"
import { type AccountName, accounts, type World } from "../world.ts"

/** Milliseconds after which one that waits has to know of a change, or that its time is up, while nothing fails. */
const latest = 5000

/** The most milliseconds that four slow looks take, and the pause after them: looks take a tenth of the time. */
const longestPause = 45_000

const names: readonly AccountName[] = ["acme-export", "partner-a", "partner-b", "partner-c"]

/** What one can wait for. */
type Awaited = "guests" | "changes" | "events"

/** Partners whose requests wait for a change, several at once, some of whom leave. */
export default function simulate(world: World): Simulation {
  const clients = new Map(names.map((name) => [name, world.client(name)]))

  const waitTogether = async (random: Random): Promise<string> => {
    const account = random.pick(names)
    const client = clients.get(account) as Client
    const event = firstEvent(world, account, random.below(2))
    const awaited = random.pick<Awaited>(["guests", "changes", "events"])
    const request = await upToDate(world, client, { account, event, awaited })
    const seconds = random.between(1, 50)
    const waits = Array.from({ length: random.between(1, 4) }, async () => {
      const leaves = random.below(6) === 0
      try {
        return await wait(request, { client, seconds, leaves, random })
      } catch (error) {
        if (!isPassing(error)) throw error
        return "fails"
      }
    })
    // Late as well: a wait has to know for as long as it lasts.
    const earliest = random.below(2) * Math.floor(seconds * 700)
    const changed = random.below(3) > 0
      ? change(event, random.between(earliest, seconds * 1000))
      : undefined
    const ended = await Promise.all(waits)
    /** True if the event was one that the account waited for. */
    const isListed = ({ sent, ended }: Waited) => {
      const { known } = request
      return !known || (eventsOf(known).some(({ id }) => id === event) &&
        world.access.mayRead(account, event, sent, ended) === "yes")
    }
    // It has to be over before the next rest.
    const at = await changed
    if (at !== undefined) {
      for (const end of ended) {
        if (isWoken(end, at) && isListed(end)) checkWoken(end, at, { request, event, awaited })
      }
    }
    const tell = ended.map((end) => typeof end === "string" ? end : `${end.status}`)
    return `${account} for ${seconds} s on ${awaited}: ${tell.join(", ")}`
  }

  interface Waited extends Pick<Got, "status" | "headers" | "json"> {
    readonly sent: number
    readonly ended: number
    /** When a statement was last slow. */
    readonly slowed: number
    /** True if nothing has failed meanwhile. */
    readonly isQuiet: boolean
  }

  const wait = async (
    { path, headers }: Request,
    { client, seconds, leaves, random }: {
      readonly client: Client
      readonly seconds: number
      readonly leaves: boolean
      readonly random: Random
    },
  ): Promise<Waited> => {
    const sent = world.time.steady
    const wasQuiet = world.isQuiet
    const { blocks } = world.time
    const { credential } = client
    const { status, headers: got, json } = await ask(client, path, {
      headers: { ...headers, prefer: `wait=${seconds}` },
      expected: ["410 resync_required"],
      ...leaves && { signal: AbortSignal.timeout(random.between(1, seconds * 1000)) },
      ...anyService(world, random),
    })
    const ended = world.time.steady
    const [slowed = -Infinity, , , fourth = -Infinity] = world.faults.slowed
    // Whoever has to log in again waits again.
    const isOne = client.credential === credential
    const isQuiet = isOne && wasQuiet && world.isQuiet && world.time.blocks === blocks &&
      fourth < ended - longestPause
    if (isQuiet && slowed < sent && ended - sent > seconds * 1000 + latest) {
      throw new Violation(`${client.name} waits ${ended - sent} ms instead of ${seconds} s`)
    }
    return { status, headers: got, json, sent, ended, slowed, isQuiet }
  }

  /** Changes a guest after a while. Returns when, on the steady clock; undefined if that was not possible. */
  const change = async (event: string, after: number): Promise<number | undefined> => {
    await world.time.sleep(after)
    try {
      const { numAffectedRows = 0n } = await sql`
        update guest set company_name = ${`changed after ${after} ms`}
        where event_id = ${event} and id = (select min(id) from guest where event_id = ${event})`
        .execute(world.database.writer)
      return numAffectedRows > 0n ? world.time.steady : undefined
    } catch {
      // The database is locked.
      return undefined
    }
  }

  /** True if a wait had to end because of a change at a moment. */
  const isWoken = (end: Waited | string, at: number): end is Waited =>
    typeof end !== "string" && end.isQuiet && end.status !== 410 &&
    end.headers.has("preference-applied") && at >= end.sent && at <= end.ended && end.slowed < at

  const checkWoken = (
    { sent, ended, status, json }: Waited,
    at: number,
    { request, event, awaited }: {
      readonly request: Request
      readonly event: string
      readonly awaited: Awaited
    },
  ): void => {
    if (ended - at > latest) {
      throw new Violation(`who waits on ${awaited} learns of a change after ${ended - at} ms`)
    }
    const { known } = request
    if (!known) {
      if (status !== 200) {
        throw new Violation(`a wait on ${awaited} ends at a change with ${status}`)
      }
      return
    }
    // The list that the client has may say it already: times are in seconds, and the latest may be ahead.
    const since = Number(known.headers.get("next-since"))
    if (wasSetBackBefore(world.time, { since, at: request.at })) return
    const listed = eventsOf(status === 200 ? { json } : known)
    const { changed } = listed.find(({ id }) => id === event) ?? { changed: Infinity }
    if ((changed ?? -Infinity) < since) {
      throw new Violation(`after ${status}, a wait on events does not tell which to poll (${sent})`)
    }
  }

  return {
    steps: [{
      name: "partners wait",
      weight: 1.5,
      run: (random) =>
        waitTogether(random).catch((error) => {
          if (!isPassing(error)) throw error
          return (error as Error).message
        }),
    }],
  }
}

interface Request {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** The list of events that the client has; undefined if it waits for something else. */
  readonly known?: Got
  /** When that was asked for, on the steady clock. */
  readonly at: number
}

interface ListedEvent {
  readonly id: string
  readonly changed: number | null
}

function eventsOf({ json }: Pick<Got, "json">): readonly ListedEvent[] {
  return json as readonly ListedEvent[]
}

/** Reads a list, and returns the request for what comes next. */
async function upToDate(
  world: World,
  client: Client,
  { account, event, awaited }: {
    readonly account: AccountName
    readonly event: string
    readonly awaited: Awaited
  },
): Promise<Request> {
  const { family } = accounts[account]
  const at = world.time.steady
  if (awaited === "changes") {
    const path = `${family}/events/${event}/changes?after=`
    const { next } = pageOf(await ask(client, `${path}now`))
    return { path: path + next, headers: {}, at }
  }
  const path = awaited === "events" ? `${family}/events` : `${family}/events/${event}/guests`
  const first = await ask(client, `${path}?since=-1`)
  const tag = first.headers.get("etag")
  const headers: Record<string, string> = tag ? { "if-none-match": tag } : {}
  if (awaited === "events") return { path: `${path}?since=-1`, headers, known: first, at }
  return { path: `${path}?since=${first.headers.get("next-since")}`, headers, at }
}
