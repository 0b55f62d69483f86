import type { Database } from "../../../core/capability.ts"

/** Seconds that the lease lasts. */
const lasting = 15

/** Milliseconds after which it is renewed. */
const renewal = 5000

/**
 * Milliseconds after the start of a renewal for which the lease is certainly held: other processes count whole seconds.
 */
const sure = (lasting - 2) * 1000

/**
 * The right to send, which one process holds at a time. Others take it over if it is not renewed. No process takes it
 * while there are no receivers. The database's clock only decides whether it has ended: an end further ahead than a
 * lease lasts was written before the clock was set back.
 */
export class PingLease {
  readonly #database: Database
  readonly #owner: string
  readonly #now: () => number
  #renewedAt = -Infinity
  #clock = { time: 0, at: 0 }
  #noted: number | null = null
  #term = 0

  /** `owner` is a unique name; `now` returns milliseconds of a monotonic clock. */
  constructor(database: Database, owner: string, now: () => number) {
    this.#database = database
    this.#owner = owner
    this.#now = now
  }

  /** True while no other process can hold the lease. */
  get isHeld(): boolean {
    return this.#now() - this.#renewedAt < sure
  }

  /** Grows each time this process takes the lease from another, which may have sent pings. */
  get term(): number {
    return this.#term
  }

  /**
   * The log number up to which all changes have been pinged, except to receivers that are behind; null before the first
   * note.
   */
  get noted(): number | null {
    return this.#noted
  }

  /** The time in the database, in Unix seconds: the last time read, plus the time since. */
  get time(): number {
    return Math.floor(this.#clock.time + (this.#now() - this.#clock.at) / 1000)
  }

  /**
   * Takes or renews the lease if that is due, or if `anew`. Returns true if it is held. @throws as the database does.
   */
  async hold(anew = false): Promise<boolean> {
    const begun = this.#now()
    if (!anew && begun - this.#renewedAt < renewal) return true
    const database = this.#database
    const [state] = await database.readOnce(({ db, dialect, run }) =>
      run(
        db.selectNoFrom(({ exists, selectFrom }) => [
          dialect.now.as("now"),
          exists(selectFrom("ping_receiver").select("id")).as("hasReceivers"),
          selectFrom("ping_sender").select("owner").where("id", "=", 1).as("owner"),
          selectFrom("ping_sender").select("until").where("id", "=", 1).as("until"),
        ]),
      )
    )
    const { now = 0, hasReceivers, owner = null, until } = state ?? {}
    this.#clock = { time: now, at: begun }
    const isMine = owner === this.#owner
    if (!hasReceivers) {
      if (isMine) await this.giveBack()
      return false
    }
    const isFree = !until || until <= now || until > now + 4 * lasting
    if (!isMine && !isFree) {
      this.#renewedAt = -Infinity
      return false
    }
    const { isTaken, noted } = await this.#take(owner)
    this.#renewedAt = isTaken ? begun : -Infinity
    if (isTaken) {
      this.#noted = noted
      if (!isMine) this.#term++
    }
    return isTaken
  }

  /**
   * Notes the log number up to which all changes have been pinged, for the next process. @throws as the database does.
   */
  async note(noted: number): Promise<void> {
    if (noted === this.#noted) return
    const { background } = this.#database
    await this.#database.inBackground(() =>
      background.updateTable("ping_sender").set({ noted }).where("id", "=", 1)
        .where("owner", "=", this.#owner).execute()
    )
    this.#noted = noted
  }

  /** Gives up the lease, so that another process can take it at once. @throws as the database does. */
  async giveBack(): Promise<void> {
    this.#renewedAt = -Infinity
    const { background } = this.#database
    await this.#database.inBackground(() =>
      background.updateTable("ping_sender").set({ until: 0 }).where("id", "=", 1)
        .where("owner", "=", this.#owner).execute()
    )
  }

  /** Takes the lease from an owner; null if there is no row yet. */
  async #take(from: string | null): Promise<
    { readonly isTaken: boolean; readonly noted: number | null }
  > {
    const { background, dialect } = this.#database
    return await this.#database.inBackground(async () => {
      if (from === null) {
        const row = { id: 1, owner: "", until: 0, looks: 0, noted: null }
        const insert = background.insertInto("ping_sender").values(row)
        await dialect.orUpdate(insert, "id", { id: 1 }).execute()
      }
      const until = dialect.now
      await background.updateTable("ping_sender")
        .set((eb) => ({ owner: this.#owner, until: eb(until, "+", lasting) }))
        .where("id", "=", 1)
        .where("owner", "=", from ?? "")
        .execute()
      const row = await background.selectFrom("ping_sender").select(["owner", "noted"])
        .where("id", "=", 1).executeTakeFirst()
      return { isTaken: row?.owner === this.#owner, noted: row?.noted ?? null }
    })
  }
}
