import type {
  DemonstrationService,
  Participant,
} from "../../../plugins/capabilities/demonstration/demonstration.ts"
import { bigEvent, events, lights } from "../events.ts"
import { Client, Refusal } from "./client.ts"
import { Copy } from "./copy.ts"

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

/**
 * Keeps copies of the guests and, polled less often, the items of the running event as the guide says; and of the guests of
 * the events that are to come.
 */
export class GoodPartner extends Partner {
  readonly guests: Copy
  readonly items: Copy
  readonly #toCome: readonly Copy[]
  #polls = 0

  constructor(username: string) {
    super(username)
    this.guests = new Copy(this.client, `/connector-a/v1/events/${bigEvent.row.id}/guests`)
    this.items = new Copy(this.client, `/connector-b/v1/events/${bigEvent.row.id}/items`)
    this.#toCome = events
      .filter(({ row }) => row !== bigEvent.row && row.status !== "closed")
      .map(({ row }) => new Copy(this.client, `/connector-b/v1/events/${row.id}/guests`))
  }

  protected async poll(service: DemonstrationService): Promise<number> {
    const interval = await this.guests.poll(service)
    if (this.#polls % 3 === 0) await this.items.poll(service)
    if (this.#polls % 20 === 0) { for (const copy of this.#toCome) await copy.poll(service) }
    this.#polls++
    return interval
  }
}

/** Begins to read everything, stops after the first page, and begins again: it never reaches the end. */
export class ForgetfulPartner extends Partner {
  protected async poll(service: DemonstrationService): Promise<number> {
    const path = `/connector-b/v1/events/${bigEvent.row.id}/guests?since=-1&limit=100`
    const response = await this.client.get(service, path)
    await response.arrayBuffer()
    return Number(response.headers.get("poll-interval"))
  }
}

/** Polls well at first. Then its session ends, and it goes on with the old cookie. */
export class LoggedOutPartner extends Partner {
  readonly #guests: Copy
  readonly #path = `/borealis/v1/events/${lights.row.id}/guests`
  #polls = 0

  constructor(username: string) {
    super(username)
    this.#guests = new Copy(this.client, this.#path)
  }

  protected async poll(service: DemonstrationService): Promise<number> {
    if (this.#polls < pollsWithSession) {
      const interval = await this.#guests.poll(service)
      if (this.#polls === pollsWithSession - 1) await this.client.logOut(service)
      this.#polls++
      return interval
    }
    // Throws: the response is 401.
    await this.client.getAsIs(service, `${this.#path}?since=-1`)
    return longestPause
  }
}

/** The polls of a partner until its session ends. */
const pollsWithSession = 3
