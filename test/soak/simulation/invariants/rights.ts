import { createHash } from "node:crypto"
import { unsealData } from "iron-session"
import type { Answer, Key } from "../access.ts"
import type { Exchange } from "../exchange.ts"
import { textOf } from "../received.ts"
import { type Simulation, Violation } from "../simulation.ts"
import { secret } from "../../../support/app.ts"
import type { World } from "../world.ts"

/** What a request had to show, decoded. */
interface Shown extends Key {
  /** The secret that sealed it. */
  readonly sealedWith: string
}

type Asked =
  & Pick<Exchange, "client" | "path" | "status" | "address" | "config" | "began" | "ended">
  & {
    readonly code: string | undefined
    readonly credential: string
    readonly listed: readonly string[]
  }

/** A process remembers for a second that a session has ended, in milliseconds with what is rounded. */
const remembered = 2000

/** Statuses of who was let in. */
const admitted = new Set([200, 206, 304, 403, 404, 410])

/**
 * Nobody gets anything of an event that they could not read at any moment of the request, nobody is refused what they
 * could read all the time, and sessions count as long as their rows say, no longer and no less.
 */
export default function simulate(world: World): Simulation {
  const asked: Asked[] = []
  const known = new Map<string, Shown | undefined>()
  const secrets = new Set([secret])

  /** Decodes a cookie or a bearer token; undefined if it is none that was made here. */
  async function decode(credential: string): Promise<Shown | undefined> {
    const number = credential.split("*")[1]
    const sealedWith = [...secrets].find((each) => numberOf(each) === number)
    if (sealedWith === undefined) return undefined
    const password = { [numberOf(sealedWith)]: sealedWith }
    const key = await unsealData<Partial<Key>>(credential, { password, ttl: 0 })
    return key.session === undefined ? undefined : { ...key as Key, sealedWith }
  }

  async function check(each: Asked): Promise<void> {
    const version = world.configuration.version(each.config)
    if (!version) throw wrong(each, "a file is in force that was never good")
    for (const each of version.secrets) secrets.add(each)
    if (!known.has(each.credential)) known.set(each.credential, await decode(each.credential))
    const shown = known.get(each.credential)
    if (!shown) return
    const isReadable = version.secrets.map((text) => text === "${SESSION_SECRET}" ? secret : text)
      .includes(shown.sealedWith)
    const { began, ended, status } = each
    const counts = (from: number) =>
      isReadable ? world.access.mayUse(shown, from, ended, version.idle) : "no"
    if (status === 401 && counts(began - remembered) === "yes") {
      throw wrong(each, "a session that counts got 401")
    }
    if (admitted.has(status) && counts(began) === "no") {
      throw wrong(each, "a session that does not count was let in")
    }
    if (status !== 401) checkEvents(each, shown.account)
  }

  function checkEvents(each: Asked, account: string): void {
    const { path, status, code, address, began, ended, listed } = each
    const [, prefix = "", event] = /^(\/[^/]+\/v1)\/events(?:\/([0-9a-f-]{36}))?/.exec(path) ?? []
    const family = world.configuration.version(each.config)?.families.get(prefix)
    if (!family) return
    const may = (event: string): Answer =>
      world.access.mayRead(account, event, began, ended, address)
    for (const id of listed) {
      if (may(id) === "no") throw wrong(each, `the event ${id} is listed, and may not be read`)
    }
    if (event === undefined) return
    const isServed = family.organizations.includes(world.access.organizationOf(event) ?? "")
    const answer = may(event)
    if (status === 200 || status === 206 || status === 304) {
      if (answer === "no") throw wrong(each, "an event was read that may not be")
      if (!isServed) throw wrong(each, "an event was read that the family does not serve")
    }
    if (code === "event_not_found" && answer === "yes" && (isServed || !family.account)) {
      throw wrong(each, "an event was refused that may be read")
    }
    if (code === "connector_not_enabled" && (isServed || answer === "no")) {
      throw wrong(each, "a family was refused that serves the event, or is for others to know")
    }
  }

  return {
    observe(exchange) {
      const { client, path, status, address, config, began, ended, requestHeaders } = exchange
      const credential = credentialOf(requestHeaders)
      if (credential === undefined) return
      if (!/^\/[^/]+\/v1\/events\b/.test(path) && path !== "/session") return
      if (path === "/session" && exchange.method !== "GET") return
      asked.push({
        ...{ client, path, status, address, config, began, ended, credential },
        code: codeOf(exchange),
        listed: listedIn(exchange),
      })
    },
    invariants: [{
      name: "rights",
      async atRest() {
        for (const each of asked.splice(0)) await check(each)
      },
    }],
  }
}

/** Returns the cookie or the bearer token of a request; undefined if it has neither. */
function credentialOf(headers: Headers): string | undefined {
  const [, token] = /^bearer (\S+)$/i.exec(headers.get("authorization") ?? "") ?? []
  if (headers.has("authorization")) return token
  const values = (headers.get("cookie") ?? "").split("; ").map((pair) =>
    decodeURIComponent(pair.slice(pair.indexOf("=") + 1))
  )
  return values.find((value) => value.startsWith("Fe26.2*"))
}

/** Returns the code of a problem; undefined if it is none. */
function codeOf(exchange: Exchange): string | undefined {
  if (exchange.status < 400 || !exchange.isWhole) return undefined
  const [, code] = /"code": ?"(\w+)"/.exec(textOf(exchange)) ?? []
  return code
}

/** Returns the ids of a list of events. */
function listedIn(exchange: Exchange): readonly string[] {
  const { path, status, isWhole } = exchange
  if (status !== 200 || !isWhole || !/^\/[^/]+\/v1\/events(\?|$)/.test(path)) return []
  const text = textOf(exchange)
  if (!text.startsWith("[")) return []
  return (JSON.parse(text) as readonly { readonly id: string }[]).map(({ id }) => id)
}

/** The number by which a seal names its secret. */
function numberOf(secret: string): string {
  return String(createHash("sha256").update(secret).digest().readUInt32BE())
}

function wrong({ client, path, status, code, began, ended }: Asked, what: string): Violation {
  const moment = `from ${began.toFixed(0)} to ${ended.toFixed(0)} ms`
  return new Violation(`${what}: ${client} ${path} ${status} ${code ?? ""} ${moment}`)
}
