import { categories, type Category } from "../../../../core/records/categories.ts"
import { findReaders } from "../../../../plugins/capabilities/partners/list-health.ts"
import { listPartners } from "../../../../plugins/capabilities/partners/list-partners.ts"
import { readPartnerNumbers } from "../../../../plugins/capabilities/partners/partner-numbers.ts"
import { type Ask, Client, type Got } from "../client.ts"
import type { Exchange, Sent } from "../exchange.ts"
import { familyPathOf, receivedOf } from "../received.ts"
import { Recordings } from "../recordings.ts"
import { isDisconnected } from "../service.ts"
import { type Simulation, Violation } from "../simulation.ts"
import type { AccountName, World } from "../world.ts"

/** The versions of records that an account received of a list, as `category id updated`. */
interface Copy {
  readonly versions: Set<string>
  /** True if it received records that do not say which version they are. */
  isVague: boolean
}

/** Two partners that nobody else is: one reads by the guide, the other one as it likes. */
const careful = "partner-d" as AccountName
const careless = "partner-e" as AccountName
const prefix = "/connector-b/v1"
const lists = ["guests", "items", "guests/deletions", "items/deletions"] as const

/** Milliseconds for which a request from the same address may go unrecorded. */
const minute = 60_000
/** Seconds by which a list may be late besides an interval: a minute, and a clock that is set back. */
const grace = 60 + 30
/** The careful partner polls, and all readings are compared, at one of so many rests. */
const oneIn = 3

/** Who is said to be in sync lacks nothing; who reads by the guide is in sync; and all readings say the same. */
export default function simulate(world: World): Simulation {
  const copies = new Map<string, Copy>()
  /** When versions were seen first, on the steady clock, by `event category id updated`. */
  let seen: ReadonlyMap<string, number> = new Map()
  let rests = 0
  const event = () => world.events.get("acme")?.[0] ?? ""
  const requests = new Recordings<Exchange>(world, "addresses", {
    capability: "partners",
    isShared: true,
  })
  /** What was sent last: also what was never answered. */
  const recent: Sent[] = []
  world.onRequest((sent) => {
    if (familyPathOf(sent)) recent.push(sent)
    if (recent.length > 2000) recent.splice(0, 1000)
  })
  const partner = new CarefulPartner(world, event)
  const other = new Client(world, { account: careless })

  const copyOf = (account = "", prefix: string, event: string, list: string): Copy => {
    const key = [account, prefix, event, list].join(" ")
    const copy = copies.get(key) ?? { versions: new Set(), isVague: false }
    copies.set(key, copy)
    return copy
  }

  const add = (exchange: Exchange) => {
    const path = familyPathOf(exchange)
    if (!path || !exchange.isWhole || exchange.status !== 200) return
    const isVague = path.query.has("fields")
    for (const { category, id, updated } of receivedOf(path, exchange).records) {
      const list = category === "guests" ? "guests" : "items"
      const copy = copyOf(exchange.accountId, path.prefix, path.event, list)
      copy.versions.add(`${category} ${id} ${updated}`)
      if (category === undefined || updated === undefined) copy.isVague = true
    }
    if (isVague) copyOf(exchange.accountId, path.prefix, path.event, path.list).isVague = true
  }

  /** Expects that the last request of an account is known: when, and from where. */
  const expectRequest = (exchange: Exchange) => {
    const path = familyPathOf(exchange)
    if (path?.kind !== "list" || ![200, 304].includes(exchange.status)) return
    requests.expect(exchange, exchange)
  }

  const isKnown = async ({ accountId = "", began }: Exchange): Promise<boolean> => {
    const row = await world.database.writer.selectFrom("last_request")
      .select(["at", "address"]).where("account_id", "=", accountId).executeTakeFirst()
    // The clock may have been set since.
    const { least } = world.time.wallBetween(began - minute, world.time.steady)
    const isSame = (other: Sent) =>
      other.accountId === accountId && other.began >= began - minute &&
      other.address === row?.address
    // It goes with its account.
    if (row === undefined && !world.access.hasAccount(accountId)) return true
    return row !== undefined && row.at >= Math.floor(least / 1000) - 1 &&
      recent.some(isSame)
  }

  const checkReaders = async (event: string, rows: readonly Version[]) => {
    for (const health of await findReaders(world.database, event, { retention: 86_400 })) {
      const { kind, state, account, family } = health
      if (state !== "in sync" || (kind !== "guests" && kind !== "items")) continue
      const copy = copyOf(world.access.account(account)?.id, health.prefix, event, kind)
      if (copy.isVague) continue
      const before = world.time.steady - ((health.pollInterval ?? 900) + grace) * 1000
      const lacks = rows.find(({ list, version }) =>
        list === kind && (seen.get(`${event} ${version}`) ?? Infinity) < before &&
        !copy.versions.has(version)
      )
      if (!lacks) continue
      throw new Violation(
        `${account} is said to be in sync with ${kind} of ${family}, and lacks ${lacks.version} of event ${event}`,
      )
    }
  }

  const compareReadings = async () => {
    const options = { retention: 86_400, at: world.time.now }
    const all = await listPartners(world.database, options)
    const { partners: brief } = await readPartnerNumbers(world.database, options)
    for (const { account, state } of all) {
      const shown = brief.find((each) => each.account === account)?.state
      if (shown === state) continue
      throw new Violation(`${account} is ${state}, and metrics say that it is ${shown}`)
    }
  }

  const look = async (isEnd: boolean) => {
    await requests.check(
      isKnown,
      ({ account, address }) => `the last request of ${account}, from ${address}, is not known`,
    )
    const now = new Map<string, number>()
    const events = [...world.events.values()].flat()
    const versions = events.map((event) => readVersions(world, event))
    for (const [index, event] of events.entries()) {
      for (const { version } of versions[index] ?? []) {
        const key = `${event} ${version}`
        now.set(key, seen.get(key) ?? world.time.steady)
      }
    }
    seen = now
    if (world.restores > 0) return
    for (const [index, event] of events.entries()) await checkReaders(event, versions[index] ?? [])
    if (!isEnd && rests++ % oneIn !== 0) return
    await compareReadings()
    await partner.poll()
    await partner.check(isEnd)
  }

  return {
    observe(exchange) {
      add(exchange)
      expectRequest(exchange)
    },
    async prepare() {
      for (const name of [careful, careless]) {
        await world.build.account(name, "partner")
        await world.build.grant(name, { event: event() })
      }
    },
    steps: [{
      name: "partner-e polls as it likes",
      weight: 4,
      async run(random) {
        const list = random.pick(["guests", "guests", "items", random.pick(lists)])
        const since = random.pick([-1, -1, 0, world.time.now - random.below(90)])
        const limit = random.pick([1, 5, 1000, 1000])
        const query = random.pick(["", "", "", "&q=a", "&bucket=a"])
        const path = `${prefix}/events/${event()}/${list}?since=${since}&limit=${limit}${query}`
        const [one] = random.below(6)
          ? []
          : [...seen.keys()].filter((key) => key.startsWith(`${event()} guests `))
        if (one !== undefined) {
          const { status } = await other.get(
            `${prefix}/events/${event()}/guests/${one.split(" ")[2]}`,
          )
          return `one guest: ${status}`
        }
        // Many leave before they have all.
        const address = random.pick(["127.0.0.1", "127.0.0.2"])
        const ask = { address, ...random.below(3) === 0 && { leavesAfter: random.below(3000) } }
        const { status } = await other.get(path, ask)
        return `${list} since ${since}, ${limit} at most${query}: ${status}`
      },
    }, {
      name: "partner-d polls",
      weight: 1,
      run: () => partner.poll(),
    }],
    invariants: [{
      name: "partners are as they are said to be",
      atRest: () => look(false),
      atEnd: () => look(true),
    }],
  }
}

/** A record, as it is in its table. */
interface Version {
  readonly list: "guests" | "items"
  readonly version: string
}

function readVersions({ tables }: World, event: string): Version[] {
  return (Object.entries(categories) as [Category, string][]).flatMap(([category, table]) => {
    const list = category === "guests" ? "guests" : "items"
    return tables.all<{ readonly id: string; readonly updated: number }>(
      `select id, updated from "${table}" where event_id = ?`,
      event,
    ).map(({ id, updated }) => ({ list, version: `${category} ${id} ${updated}` }))
  })
}

/** A partner that reads as the guide says, and that nothing but faults can keep from being in sync. */
class CarefulPartner {
  readonly #world: World
  readonly #client: Client
  readonly #event: () => string
  readonly #next = new Map<string, number>()
  #isBusy = false
  /** True if its last poll was complete. */
  #isComplete = false
  #told: readonly string[] = []
  /** The processes that have answered it since it began anew. */
  #asked = new Set<string>()

  constructor(world: World, event: () => string) {
    this.#world = world
    this.#client = new Client(world, { account: careful })
    this.#event = event
    world.onExchange(({ account, service, life, instance }) => {
      if (account !== careful) return
      this.#asked.add(`${service} ${life}`)
      // What is not recorded cannot be known.
      if (!("partners" in instance.recorders.numbers)) this.#asked.add("off")
    })
  }

  async poll(): Promise<string> {
    if (this.#isBusy) return "it does already"
    this.#isBusy = true
    this.#isComplete = false
    // The service has lost what a killed process had not written: it is told again by reading all.
    if (this.#isDoubtful()) {
      this.#next.clear()
      this.#asked.clear()
    }
    try {
      let told = await this.#readAll()
      // It reads everything again, at once.
      if (told.includes("410")) {
        this.#next.clear()
        told = await this.#readAll()
      }
      this.#told = told
      this.#isComplete = told.every((each) => each === "200")
      return told.join(", ")
    } finally {
      this.#isBusy = false
    }
  }

  /** @throws {Violation} if the service says that it lacks something. */
  async check(isEnd: boolean): Promise<void> {
    const { time, database } = this.#world
    if (!this.#isComplete) {
      if (
        isEnd &&
        this.#world.access.mayRead(careful, this.#event(), time.steady, time.steady) === "yes"
      ) {
        throw new Violation(
          `partner-d cannot read, though nothing fails any more: ${this.#told.join(", ")}`,
        )
      }
      return
    }
    for (let waited = 0; this.#isWaiting(); waited += 500) {
      if (waited > 20_000) return
      await time.sleep(500)
    }
    if (this.#isDoubtful()) return
    const all = await listPartners(database, { retention: 86_400 })
    const health = all.find(({ account }) => account === careful)
    if (health?.state === "in sync") return
    throw new Violation(
      `partner-d has read everything, and is said to be ${health?.state}: ${health?.reason}`,
    )
  }

  #isDoubtful(): boolean {
    return this.#asked.has("off") ||
      this.#world.services.some(({ name, crashes }) =>
        [...crashes].some((life) => this.#asked.has(`${name} ${life}`))
      )
  }

  #isWaiting(): boolean {
    return this.#world.running.some(({ service }) =>
      (service.instance.recorders.numbers["partners"]?.waiting ?? 0) > 0
    )
  }

  async #readAll(): Promise<readonly string[]> {
    const told: string[] = []
    for (const list of lists) told.push(await this.#read(list))
    return told
  }

  async #read(list: string): Promise<string> {
    const since = this.#next.get(list) ?? -1
    let path: string | undefined =
      `${prefix}/events/${this.#event()}/${list}?since=${since}&limit=20`
    let next: number | undefined
    while (path !== undefined) {
      const got: Got | undefined = await this.#get(path)
      if (got?.status !== 200) return String(got?.status ?? "cut")
      next ??= Number(got.headers.get("next-since"))
      path = /<([^>]*)>; rel="next"/.exec(got.headers.get("link") ?? "")?.[1]
    }
    if (next !== undefined) this.#next.set(list, next)
    return "200"
  }

  async #get(path: string, ask: Ask = {}): Promise<Got | undefined> {
    try {
      return await this.#client.get(path, ask)
    } catch (error) {
      if (!isDisconnected(error)) throw error
      return undefined
    }
  }
}
