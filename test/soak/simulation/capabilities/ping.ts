import type { Random } from "../../../support/random.ts"
import { runCommand } from "../command.ts"
import type { Version } from "../configuration.ts"
import { ChangedLists } from "../ping/changed-lists.ts"
import { behaviours, Hook } from "../ping/hook.ts"
import { isDisconnected } from "../service.ts"
import { type Simulation, Violation } from "../simulation.ts"
import { type AccountName, accounts, type World } from "../world.ts"
import type { Client, Got } from "../client.ts"

const owners = ["acme-export", "borealis-export", "partner-a", "partner-b", "partner-c"] as const

/** Milliseconds until a ping has come at the latest, at rest: another process may have to take over. */
const longestDelay = 120_000

/** What `POST /session/pings` returns. */
interface Registered {
  readonly id: string
  readonly secret: string
  readonly state: string
}

/** Partners with receivers of pings of all kinds. Whoever may read a list is told of each change, and nobody else is. */
export default function simulate(world: World): Simulation {
  const lists = new ChangedLists(world)
  const hooks: Hook[] = []
  const clients = new Map<AccountName, Client>(
    owners.map((account) => [account, world.client(account, { name: `pings of ${account}` })]),
  )
  /** Changes before this moment need not have been told: some process had no family of the list then. */
  let excusedUntil = 0
  let wasUsual = true
  let isEnding = false
  const familiesOf = (version: Version) => JSON.stringify([...version.families])
  const families = familiesOf(world.configuration.version(world.configuration.hash) as Version)
  lists.onChange = noteConfigurations

  const known = () =>
    hooks.filter(({ id, removedAt }) => id !== undefined && removedAt === undefined)
  const clientOf = (account: AccountName) => clients.get(account) as Client

  async function register(
    account: AccountName,
    behaviour: (typeof behaviours)[number],
  ): Promise<string> {
    const hook = new Hook(world, lists, { account, number: hooks.length + 1 })
    hooks.push(hook)
    hook.behave(behaviour)
    const got = await clientOf(account).get("/session/pings", {
      method: "POST",
      json: { url: hook.url },
    })
    assertStatus(got, [201, 400, 401, 403, 404, 429, 503])
    if (got.status !== 201) {
      hook.removedAt = world.time.steady
      return `${account} registers ${hook.host}: ${got.status}`
    }
    const { id, secret, state } = got.json as Registered
    if (state !== "unconfirmed") throw new Violation(`a new receiver is ${state}`)
    hook.id = id
    hook.addSecret(secret)
    return `${account} registers ${hook.host}, which is ${hook.behaviour}`
  }

  async function change(hook: Hook, random: Random): Promise<string> {
    const client = clientOf(hook.account)
    const path = `/session/pings/${hook.id}`
    const said = (what: string, { status }: Got) =>
      `${hook.account} ${what} ${hook.host}: ${status}`
    switch (random.below(4)) {
      case 0: {
        const got = await client.get(`${path}/secrets`, { method: "POST" })
        assertStatus(got, [201, 401, 403, 404, 429, 503])
        if (got.status === 201) hook.addSecret((got.json as Registered).secret)
        return said("renews the secret of", got)
      }
      case 1: {
        const got = await client.get(`${path}/challenge`, { method: "POST" })
        assertStatus(got, [202, 401, 403, 404, 429, 503])
        if (got.status === 202) hook.challenged()
        return said("has a challenge sent to", got)
      }
      case 2: {
        const got = await client.get(path, { method: "DELETE" })
        assertStatus(got, [204, 401, 403, 404, 429, 503])
        if (got.status === 204) hook.removedAt = world.time.steady
        return said("removes", got)
      }
      default: {
        const got = await client.get("/session/pings")
        assertStatus(got, [200, 401, 403, 404, 429, 503])
        if (/secret":"|whsec_/.test(got.text)) {
          throw new Violation("a list of receivers has a secret")
        }
        return said("lists", got)
      }
    }
  }

  /** Lets each account have a receiver, if it can. */
  async function registerMissing(): Promise<void> {
    if (world.running.length === 0 || isEnding) return
    for (const account of owners) {
      if (known().some((hook) => hook.account === account)) continue
      await register(account, "good").catch((error) => {
        if (!isDisconnected(error)) throw error
      })
    }
  }

  /** Checks that all have been told of all changes. Waits for what is on its way. @throws {Violation} if it does not come. */
  async function assertTold(): Promise<void> {
    const { time } = world
    const until = time.steady + longestDelay
    for (;;) {
      const missing = await findMissing()
      if (missing.length === 0) return
      if (time.steady > until) {
        throw new Violation(`${missing.length} pings are missing: ${missing[0]}`)
      }
      await time.sleep(1000)
    }
  }

  async function findMissing(): Promise<string[]> {
    const { database, time } = world
    if (!isServed()) return []
    lists.read()
    const rows = await database.writer.selectFrom("ping_receiver")
      .select(["id", "state", "attempts"]).execute()
    const missing: string[] = []
    for (const hook of known()) {
      const row = rows.find(({ id }) => id === hook.id)
      if (row?.state !== "on" && row?.state !== "unconfirmed") hook.owedFrom = undefined
      if (row?.state !== "on" || row.attempts > 0) continue
      hook.owedFrom ??= time.steady
      const from = Math.max(hook.owedFrom, excusedUntil)
      for (const [name, { at }] of lists.all) {
        const [event = "", list = ""] = name.split(" ")
        if (at <= from || (hook.told.get(name) ?? -1) >= at) continue
        if (!mayRead(hook.account, event, list, at)) continue
        missing.push(`${hook.host} of ${hook.account}: ${list} of ${event}, changed at ${at}`)
      }
    }
    return missing
  }

  /** True if an account could read a list since a moment, by any family. */
  function mayRead(account: AccountName, event: string, list: string, from: number): boolean {
    const slug = world.access.organizationOf(event) ?? ""
    const { role } = accounts[account]
    const families = [...world.configuration.version(world.configuration.hash)?.families ?? []]
    const isListed = families.some(([path, family]) =>
      family.organizations.includes(slug) &&
      (family.account === undefined ? role === "partner" : family.account === account) &&
      (list !== "items" || !path.startsWith("/connector-a/"))
    )
    return isListed && world.access.mayRead(account, event, from, world.time.steady) === "yes"
  }

  /** True if nothing fails that one can know of, and all processes send pings of all lists. */
  function isServed(): boolean {
    const { faults, running } = world
    noteConfigurations()
    return running.length > 0 && !faults.isFull && faults.slowOneIn === 0 &&
      faults.deaths.size === 0 && excusedUntil < world.time.steady
  }

  /** Excuses what happened until now, if a process has a configuration without all lists, or had one at the last look. */
  function noteConfigurations(): void {
    const { configuration } = world
    // Whoever starts takes what is in the file.
    const versions = [configuration.version(configuration.hash), ...world.inForce]
    const isUsual = versions.every((version) =>
      version?.capabilities.includes("ping") && familiesOf(version) === families
    )
    if (!isUsual || !wasUsual) excusedUntil = world.time.steady
    wasUsual = isUsual
  }

  return {
    steps: [
      {
        name: "a partner registers a receiver of pings",
        weight: 0.5,
        run: (random) => register(random.pick(owners), random.pick(behaviours)),
      },
      {
        name: "a partner changes a receiver of pings",
        weight: 1,
        async run(random) {
          const all = known()
          return all.length === 0 ? "has none" : await change(random.pick(all), random)
        },
      },
      {
        name: "a receiver of pings changes",
        weight: 1.5,
        run(random) {
          const all = known()
          if (all.length === 0) return Promise.resolve("there is none")
          const hook = random.pick(all)
          hook.behave(random.pick(behaviours))
          return Promise.resolve(`${hook.host} is ${hook.behaviour}`)
        },
      },
    ],
    invariants: [{
      name: "pings",
      async atRest() {
        await assertTold()
        await registerMissing()
      },
      async atEnd() {
        const rows = await world.database.writer.selectFrom("ping_receiver")
          .select(["id", "state", "account_id"]).execute()
        for (const hook of known()) {
          const row = rows.find(({ id }) => id === hook.id)
          if (row && row.state !== "on") {
            throw new Violation(`${hook.host} is ${row.state} at the end`)
          }
        }
      },
    }],
    async settle() {
      isEnding = true
      const rows = await world.database.writer.selectFrom("ping_receiver").select("id").execute()
      for (const hook of known()) {
        hook.behave("good")
        if (!rows.some(({ id }) => id === hook.id)) hook.removedAt = world.time.steady
        else {
          hook.challenged()
          const { code, err } = await runCommand(world, ["ping", "check", hook.id ?? ""])
          if (code !== 0) throw new Violation(`"ping check" fails: ${err}`)
        }
      }
      await world.time.sleep(60_000)
      await assertTold()
    },
  }
}

function assertStatus({ status, text }: Got, allowed: readonly number[]): void {
  if (!allowed.includes(status)) {
    throw new Violation(`an answer about receivers is ${status}: ${text}`)
  }
}
