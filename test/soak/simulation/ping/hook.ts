import { createHmac } from "node:crypto"
import { isDeepStrictEqual } from "node:util"
import { Violation } from "../simulation.ts"
import type { Reply, Sent } from "../virtual/network.ts"
import type { SimulatedService } from "../service.ts"
import type { AccountName, World } from "../world.ts"
import type { ChangedLists } from "./changed-lists.ts"

/** How a receiver behaves. */
export const behaviours = [
  "good",
  "good",
  "good",
  "slow",
  "hangs",
  "breaks",
  "fails",
  "gone",
  "lies",
  "away",
  "nameless",
  "inside",
] as const

export type Behaviour = (typeof behaviours)[number]

/** Milliseconds for what was under way when something changed: a ping asks for rights right before, a challenge does not. */
const underWay = { changed: 1000, challenge: 20_000 }

/** Addresses that grants may be for: pings do not depend on where an account polls from. */
const addresses = ["127.0.0.1", "10.1.2.3", "2001:db8::17"]

interface Message {
  readonly type: "changed" | "challenge"
  readonly event?: string
  readonly list?: string
  readonly changed?: number
  readonly challenge?: string
}

/** A receiver of pings on the simulated internet. Checks each request that it gets. */
export class Hook {
  readonly account: AccountName
  readonly host: string
  readonly url: string
  readonly #world: World
  readonly #lists: ChangedLists
  readonly #address: string
  behaviour: Behaviour = "good"
  /** Undefined until the service has told them. */
  id: string | undefined
  readonly secrets: string[] = []
  /** When it was removed; undefined if it is not. On the steady clock, as all times here. */
  removedAt: number | undefined
  /** When it answered that it wants no more. */
  goneAt: number | undefined
  /** How often it has got something since. */
  #sinceGone = 0
  #answeredAt: number | undefined
  /** From when on it must be told of all changes; undefined if it need not. */
  owedFrom: number | undefined
  /** When the last ping of each list that was answered well came. */
  readonly told = new Map<string, number>()
  /** The bodies of ids, and what failed last of each list. */
  readonly #bodies = new Map<string, string>()
  readonly #failed = new Map<
    string,
    { readonly id: string; readonly body: string; readonly seq: number }
  >()
  /** The requests that are under way, with the life of the process that sent them. */
  readonly #open = new Map<Sent, string>()
  /** What it got before it knew its secret. */
  readonly #unverified: Sent[] = []

  constructor(
    world: World,
    lists: ChangedLists,
    { account, number }: { readonly account: AccountName; readonly number: number },
  ) {
    this.#world = world
    this.#lists = lists
    this.account = account
    this.host = `hooks-${number}.example.org`
    this.url = `https://${this.host}/pings?for=${account}`
    this.#address = `93.184.${number >> 8}.${number & 255}`
    this.behave("good")
  }

  /** Changes how it behaves from now on. */
  behave(behaviour: Behaviour): void {
    this.behaviour = behaviour
    const { network } = this.#world.machine
    const inside = `10.0.0.${this.#address.split(".")[3]}`
    network.names.set(
      this.host,
      behaviour === "nameless" ? [] : [behaviour === "inside" ? inside : this.#address],
    )
    const serve = (sent: Sent) => this.#receive(sent)
    network.serve(`${this.#address}:443`, behaviour === "away" ? undefined : serve)
    network.serve(`${inside}:443`, () => {
      this.#fail("a private address gets a request")
      return Promise.resolve("breaks")
    })
  }

  /** Takes a secret that the service has told. */
  addSecret(secret: string): void {
    this.secrets.push(secret)
    for (const sent of this.#unverified.splice(0)) this.#verify(sent)
  }

  /** Was asked for a challenge: it gets requests again, if it had wanted no more. */
  challenged(): void {
    this.goneAt = undefined
  }

  async #receive(sent: Sent): Promise<Reply> {
    const { began } = sent
    const process = sent.from as SimulatedService | undefined
    const key = `${process?.name} ${process?.lives}`
    // Who asks for a challenge gets it, even while a request is under way.
    const others = [...this.#open].filter(([, each]) => each === key)
    if (others.length > 1) this.#fail(`gets three requests of ${process?.name} at a time`)
    this.#open.set(sent, key)
    sent.signal.addEventListener("abort", () => this.#open.delete(sent), { once: true })
    const message = this.#read(sent)
    this.#assertMay(message, began)
    this.#verify(sent)
    const reply = await this.#reply(sent, message)
    this.#open.delete(sent)
    const isTaken = !sent.signal.aborted && reply !== "breaks" && reply.status < 300
    if (message.type === "challenge") {
      if (isTaken && reply.body.includes("v1,")) this.#answeredAt ??= began
    } else this.#note(sent, message, { began, isTaken })
    return reply
  }

  #read({ body, headers, method, url }: Sent): Message {
    const message = JSON.parse(body) as Message
    const keys = message.type === "changed"
      ? ["type", "event", "list", "changed"]
      : ["type", "challenge"]
    if (!isDeepStrictEqual(Object.keys(message), keys)) this.#fail(`gets ${body}`)
    if (method !== "POST" || url !== this.url) this.#fail(`gets ${method} ${url}`)
    const id = headers["webhook-id"] ?? ""
    const known = this.#bodies.get(id)
    if (known !== undefined && known !== body) this.#fail(`gets ${id} with another body`)
    this.#bodies.set(id, body)
    return message
  }

  /** Checks that it may get a message now. */
  #assertMay({ type, event = "", list }: Message, began: number): void {
    const { access } = this.#world
    const before = began - underWay[type]
    if (this.removedAt !== undefined && this.removedAt < before) {
      this.#fail(`gets a ${type} after it was removed`)
    }
    if (this.goneAt !== undefined && ++this.#sinceGone > 3) {
      this.#fail("gets pings although it is gone")
    }
    if (access.wasDisabled(this.account, before, began) === "yes") {
      this.#fail(`gets a ${type} although ${this.account} is disabled`)
    }
    if (type === "challenge") return
    if (this.#answeredAt === undefined) this.#fail("gets a ping, and has answered no challenge")
    const answers = addresses.map((address) =>
      access.mayRead(this.account, event, before, began, address)
    )
    if (answers.every((answer) => answer === "no")) {
      this.#fail(`gets a ping of ${list} of ${event}, which ${this.account} may not read`)
    }
  }

  #verify(sent: Sent): void {
    if (this.secrets.length === 0) return void this.#unverified.push(sent)
    const { began, headers, body } = sent
    const { "webhook-timestamp": at, "webhook-signature": signatures = "" } = headers
    const right = this.secrets.map((secret) => sign(secret, sent, body))
    const all = signatures.split(" ")
    if (!all.every((each) => right.includes(each))) this.#fail("gets a wrong signature")
    const { time } = this.#world
    const { least, most } = time.wallBetween(began, began)
    const isNow = Number(at) >= Math.floor(least / 1000) && Number(at) <= most / 1000
    if (!isNow && this.#unverified.length === 0) {
      this.#fail(`gets the time ${at}, and now is ${time.now}`)
    }
  }

  async #reply(sent: Sent, { challenge }: Message): Promise<Reply> {
    const { time } = this.#world
    const secret = this.secrets.at(-1)
    const body = challenge === undefined || secret === undefined
      ? challenge ?? ""
      : sign(secret, sent, challenge)
    switch (this.behaviour) {
      case "slow":
        await time.sleep(3000)
        return { status: 200, body: JSON.stringify({ answer: body }) }
      case "hangs":
        await time.sleep(60_000)
        return "breaks"
      case "breaks":
        return "breaks"
      case "fails":
        return { status: 503, body }
      case "gone":
        if (this.goneAt === undefined) this.#sinceGone = 0
        this.goneAt ??= time.steady
        return { status: 410, body }
      case "lies":
        return { status: 200, body: sent.body }
      default:
        return { status: 200, body }
    }
  }

  /** Takes note of a ping. */
  #note(
    { headers, body }: Sent,
    { event, list }: Message,
    { began, isTaken }: { readonly began: number; readonly isTaken: boolean },
  ): void {
    const name = `${event} ${list}`
    const id = headers["webhook-id"] ?? ""
    const failed = this.#failed.get(name)
    const seq = this.#lists.all.get(name)?.seq ?? 0
    if (failed && failed.body === body && failed.seq === seq && failed.id !== id) {
      this.#fail(`gets the same again with the id ${id} in place of ${failed.id}`)
    }
    if (isTaken) {
      this.#failed.delete(name)
      this.told.set(name, began)
    } else this.#failed.set(name, { id, body, seq })
  }

  #fail(what: string): void {
    this.#world.fail(new Violation(`${this.host} of ${this.account} ${what}`))
  }
}

/** Signs a text as the body of a request would be signed. */
function sign(secret: string, { headers }: Sent, text: string): string {
  const key = Buffer.from(secret.slice("whsec_".length), "base64")
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${text}`
  return `v1,${createHmac("sha256", key).update(signed).digest("base64")}`
}
