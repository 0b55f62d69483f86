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

/** Keeps copies of the running event and, polled less often, of those that are to come, as the guide says. */
export class GoodPartner extends Partner {
  readonly copy: Copy
  readonly #toCome: readonly Copy[]
  #polls = 0

  constructor(username: string) {
    super(username)
    this.copy = new Copy(this.client, `/connector-b/v1/events/${bigEvent.row.id}`)
    this.#toCome = events
      .filter(({ row }) => row !== bigEvent.row && row.status !== "closed")
      .map(({ row }) => new Copy(this.client, `/connector-b/v1/events/${row.id}`))
  }

  protected async poll(service: DemonstrationService): Promise<number> {
    const interval = await this.copy.poll(service)
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
  readonly #copy: Copy
  readonly #path = `/borealis/v1/events/${lights.row.id}`
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
