import type { Client, Got } from "../client.ts"
import { runCommand, saysOf } from "../command.ts"
import { isDisconnected } from "../service.ts"
import type { Exchange, Sent } from "../exchange.ts"
import { Recordings } from "../recordings.ts"
import { type Simulation, Violation } from "../simulation.ts"
import { accounts, type World } from "../world.ts"
import type { Random } from "../../../support/random.ts"

interface Token {
  readonly id: string
  readonly account: (typeof owners)[number]
  readonly token: string
  isRevoked: boolean
}

const owners = ["partner-a", "partner-b", "acme-export"] as const

/** The most tokens of an account, and of one name. */
const most = { all: 10, ofName: 2 }

/** Addresses that programs with tokens ask from. */
const addresses = ["127.0.0.1", "127.0.0.2", "127.9.9.9"]

/** Milliseconds for which a use of a token from the same address may go unrecorded. */
const grain = 61_000

/** Seconds after which a session that ends soon is warned of again. */
const aDay = 86_400

/** A use of a token. */
interface Use {
  readonly token: string
  readonly address: string
  /** On the steady clock, in milliseconds. */
  readonly at: number
}

/** Partners who make tokens, use and revoke them; and operators who revoke some. Whether one counts, all requests tell. */
export default function simulate(world: World): Simulation {
  const tokens: Token[] = []
  const clients = new Map<string, Client>(
    owners.map((name) => [name, world.client(name, { name: `${name} and its tokens` })]),
  )
  const live = () => tokens.filter(({ isRevoked }) => !isRevoked)
  const recordings = new Recordings<Use>(world, "uses of tokens", {
    capability: "sessions",
    isShared: true,
  })
  const uses: Use[] = []
  /** When a process has warned of a session last, in Unix seconds. */
  const warned = new Map<string, number>()
  /** Tokens that do not count any more. */
  const refused = new Set<string>()
  let turn = 0
  world.onLog(({ msg, service, session }) => {
    if (!/^(a token of a partner|the session of an unattended program) ends soon/.test(msg)) return
    const { lives } = world.services.find(({ name }) => name === service) ?? {}
    const key = `${service} ${lives} ${session}`
    const last = warned.get(key)
    if (last !== undefined && Math.abs(world.time.now - last) < aDay - 1) {
      world.fail(
        new Violation(`${service} warns of ${session} again after ${world.time.now - last} s`),
      )
    }
    warned.set(key, world.time.now)
  })

  world.onRequest((sent) => {
    const use = useOf(sent)
    if (use) uses.push(use)
    if (uses.length > 2000) uses.splice(0, 1000)
  })

  const expectUse = (exchange: Exchange): void => {
    const use = useOf(exchange)
    if (use && [200, 304].includes(exchange.status)) recordings.expect(exchange, use)
  }

  /** True if the list of tokens says from where one was used: last, or within the minute before that. */
  const isRecorded = async ({ token, at }: Use): Promise<boolean> => {
    const { id } = tokens.find((each) => each.token === token) ?? {}
    if (id === undefined) return true
    const row = await world.database.writer.selectFrom("account_token").select("last_address")
      .where("session_id", "=", id).executeTakeFirst()
    const isOf = (use: Use) =>
      use.token === token && use.at >= at - grain && use.address === row?.last_address
    return !row || uses.some(isOf)
  }

  /** Uses the newest token at each service, from one address and then from another: it counts while nothing fails. */
  const useAtRest = async (): Promise<void> => {
    const chosen = live().findLast(({ id }) => !refused.has(id))
    if (!chosen) return
    const address = addresses[turn++ % 2] as string
    const { id } = chosen
    for (const service of world.running) {
      const program = programWith(chosen, "with a token at rest")
      const wasCalm = world.isCalm
      const { status } = await program.send("/session", { service, address })
      if (status === 401) refused.add(id)
      if (wasCalm && world.isCalm && status >= 500) {
        throw new Violation(`the token ${id} gets ${status} of ${service.name}, and nothing fails`)
      }
    }
  }

  const programWith = ({ account, token }: Token, name: string): Client => {
    const program = world.client(account, { name: `${account} ${name}` })
    program.credential = { authorization: `Bearer ${token}` }
    return program
  }

  async function make(random: Random): Promise<string> {
    const account = random.pick(owners)
    const name = random.pick(["nightly", "copy", "report", "mirror", "test", "other"])
    const lifetime = random.pick([3_600, 86_400, 20 * 86_400])
    const client = clients.get(account) as Client
    const got = await client.get("/session/tokens", { method: "POST", json: { name, lifetime } })
    if (got.status !== 201) return `${account}: ${got.status}`
    const { id, token } = got.json as { readonly id: string; readonly token: string }
    tokens.push({ id, account, token, isRevoked: false })
    const list = await client.get("/session/tokens")
    if (list.status === 200) checkCount(list, account)
    return `${account} makes ${id}`
  }

  function checkCount(list: Got, account: string): void {
    const listed = list.json as readonly { readonly name: string }[]
    const ofName = Map.groupBy(listed, ({ name }) => name)
    if (listed.length > most.all || [...ofName.values()].some((all) => all.length > most.ofName)) {
      throw new Violation(`${account} has more tokens than it may: ${list.text}`)
    }
  }

  async function use(random: Random): Promise<string> {
    if (tokens.length === 0) return "nobody has made one"
    const isLive = live().length > 0 && random.below(4) > 0
    const chosen = random.pick(isLive ? live().slice(-5) : tokens.slice(-10))
    const { id, account } = chosen
    const event = random.pick(world.eventsOf(account))
    const program = programWith(chosen, "with a token")
    const response = await program.send(`${accounts[account].family}/events/${event}/guests`, {
      address: random.pick(addresses),
    })
    await response.arrayBuffer()
    // A token makes no tokens.
    const other = await program.send("/session/tokens", {
      method: "POST",
      json: { name: "from a token", lifetime: 3_600 },
    })
    await other.arrayBuffer()
    if (other.status === 201) throw new Violation(`the token ${id} made another one`)
    return `${account} with ${id}: ${response.status}`
  }

  /** Uses a token from one address, from another, and from the first one again, more than a minute after each other. */
  async function move(): Promise<string> {
    const chosen = live().findLast(({ id }) => !refused.has(id))
    if (!chosen) return "nobody has one"
    const program = programWith(chosen, "moves with a token")
    const statuses: number[] = []
    for (const address of ["127.0.0.1", "127.0.0.2", "127.0.0.1"]) {
      statuses.push((await program.send("/session", { address })).status)
      await world.time.sleep(grain + 5_000)
    }
    return `${chosen.account} with ${chosen.id}: ${statuses.join(", ")}`
  }

  async function revoke(random: Random): Promise<string> {
    if (live().length === 0) return "there is none"
    const token = random.pick(live())
    const { id, account } = token
    if (random.below(3) === 0) {
      const outcome = await runCommand(world, ["account", "tokens", "--revoke", id])
      if (outcome.code === 0) token.isRevoked = true
      return `an operator revokes ${id}: ${saysOf(outcome)}`
    }
    const client = clients.get(account) as Client
    const { status } = await client.get(`/session/tokens/${id}`, { method: "DELETE" })
    if (status === 204) token.isRevoked = true
    return `${account} revokes ${id}: ${status}`
  }

  return {
    /** A program has a session that ends soon. */
    async prepare() {
      const { writer } = world.database
      const account = await writer.selectFrom("account").select("id")
        .where("username", "=", "operator").executeTakeFirstOrThrow()
      const { now } = world.time
      await writer.insertInto("session").values({
        ...{ id: crypto.randomUUID(), account_id: account.id },
        ...{ created: now - 12 * aDay, expires: now + 3 * aDay, used: now },
      }).execute()
    },
    observe: expectUse,
    steps: [
      { name: "a partner makes a token", weight: 0.4, run: make },
      { name: "a partner uses a token", weight: 0.8, run: use },
      { name: "a program moves with its token", weight: 0.5, run: move },
      { name: "somebody revokes a token", weight: 0.3, run: revoke },
    ],
    invariants: [{
      name: "tokens",
      async atRest() {
        await useAtRest().catch((error) => {
          if (!isDisconnected(error)) throw error
        })
        await recordings.check(
          isRecorded,
          ({ address }) => `a token was used from ${address}, and its list does not say so`,
        )
        const ended = tokens.filter(({ isRevoked }) => isRevoked).map(({ id }) => id)
        if (ended.length === 0) return
        const rows = await world.database.writer.selectFrom("session").select(["id", "reason"])
          .where("id", "in", ended).execute()
        const counting = rows.find(({ reason }) => reason === null)
        if (counting && world.restores === 0) {
          throw new Violation(`the token ${counting.id} is revoked, and its session goes on`)
        }
      },
    }],
  }
}

/** Returns the use of a token of a partner that a request is; undefined if it is none. */
function useOf({ requestHeaders, address, began: at }: Sent): Use | undefined {
  const [, token] = /^bearer (ee_\S+)$/i.exec(requestHeaders.get("authorization") ?? "") ?? []
  return token === undefined ? undefined : { token, address, at }
}
