import type {
  DemonstrationService,
  Participant,
} from "../../../plugins/capabilities/demonstration/demonstration.ts"
import { bigEvent, events, lights } from "../events.ts"
import { Client, Refusal } from "./client.ts"
import { Copy } from "./copy.ts"
import { Receiver } from "./receiver.ts"

/** The longest pause between two polls, in seconds: partners poll more often than they should, to be seen. */
const longestPause = 15

/** A simulated partner. A refused request is repeated after the time that the response says. */
abstract class Partner implements Participant {
  protected readonly client: Client

  constructor(username: string) {
    this.client = new Client(username)
  }

  get name(): string {
    return this.client.username
  }

  async step(service: DemonstrationService): Promise<number> {
    try {
      return Math.min(await this.poll(service), longestPause)
    } catch (error) {
      if (error instanceof Refusal) return error.wait
      throw error
    }
  }

  /** Returns the seconds until the next poll. */
  protected abstract poll(service: DemonstrationService): Promise<number>
}

/** Keeps copies of the running event and, polled less often, of those that are to come, as the guide says. */
export class GoodPartner extends Partner {
  readonly copy: Copy
  readonly #toCome: readonly Copy[]
  #polls = 0

  constructor(username: string) {
    super(username)
    this.copy = new Copy(this.client, `/connector-b/v1/events/${bigEvent.row.uuid}`)
    this.#toCome = events
      .filter(({ row }) => row !== bigEvent.row && row.state !== "closed")
      .map(({ row }) => new Copy(this.client, `/connector-b/v1/events/${row.uuid}`))
  }

  protected async poll(service: DemonstrationService): Promise<number> {
    const interval = await this.copy.poll(service)
    if (this.#polls % 20 === 0) { for (const copy of this.#toCome) await copy.poll(service) }
    this.#polls++
    return interval
  }
}

/** Polls the running event when it is pinged as well, and as often as a good partner in any case. */
export class PingedPartner extends GoodPartner {
  readonly #receiver = new Receiver(this.client, () => this.#pollSoon())
  #service: DemonstrationService | undefined
  #polling: Promise<unknown> = Promise.resolve()
  #isWaiting = false

  protected override async poll(service: DemonstrationService): Promise<number> {
    this.#service = service
    await this.#receiver.register(service).catch((error) => {
      if (!(error instanceof Refusal)) throw error
    })
    return await this.#inTurn(() => super.poll(service))
  }

  /** The pings that come before a poll begins are for that poll. */
  #pollSoon(): void {
    const service = this.#service
    if (this.#isWaiting || !service || service.signal.aborted) return
    this.#isWaiting = true
    this.#inTurn(async () => {
      this.#isWaiting = false
      await this.copy.poll(service)
    }).catch(() => {}) // The next step polls.
  }

  async #inTurn<T>(poll: () => Promise<T>): Promise<T> {
    const polling = this.#polling.then(poll)
    this.#polling = polling.catch(() => {})
    return await polling
  }
}

/** Begins to read everything, stops after the first page, and begins again: it never reaches the end. */
export class ForgetfulPartner extends Partner {
  protected async poll(service: DemonstrationService): Promise<number> {
    const path = `/connector-b/v1/events/${bigEvent.row.uuid}/guests?since=-1&limit=100`
    const response = await this.client.send(service, path)
    await response.arrayBuffer()
    return Number(response.headers.get("poll-interval"))
  }
}

/** Polls well at first. Then its session ends, and it goes on with the old cookie. */
export class LoggedOutPartner extends Partner {
  readonly #copy: Copy
  readonly #path = `/borealis/v1/events/${lights.row.uuid}`
  #polls = 0

  constructor(username: string) {
    super(username)
    this.#copy = new Copy(this.client, this.#path)
  }

  protected async poll(service: DemonstrationService): Promise<number> {
    if (this.#polls < pollsWithSession) {
      const interval = await this.#copy.poll(service)
      if (this.#polls === pollsWithSession - 1) await this.client.logOut(service)
      this.#polls++
      return interval
    }
    // Throws: the response is 401.
    await this.client.getAsIs(service, `${this.#path}/changes`)
    return longestPause
  }
}

/** The polls of a partner until its session ends. */
const pollsWithSession = 3
