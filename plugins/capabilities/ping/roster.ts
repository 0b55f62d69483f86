import { type RawBuilder, sql } from "kysely"
import type { Database } from "../../../core/capability.ts"
import {
  type Moment,
  type Progress,
  progressColumns,
  Receiver,
  type ReceiverRow,
} from "./receiver.ts"

/** The most receivers per statement. */
const portion = 200

/** The receivers to which something may have to be sent, kept in step with the database. */
export class Roster {
  readonly #database: Database
  readonly #owner: string
  readonly #receivers = new Map<string, Receiver>()

  /** `owner` is the process that must hold the lease for a write to succeed. */
  constructor(database: Database, owner: string) {
    this.#database = database
    this.#owner = owner
  }

  /**
   * The receivers that are on or unconfirmed and whose account is not disabled. The most recently served comes last.
   */
  get all(): readonly Receiver[] {
    return [...this.#receivers.values()]
  }

  /** Returns true if a receiver is still present and unchanged. */
  has(receiver: Receiver): boolean {
    return this.#receivers.get(receiver.row.id) === receiver
  }

  moveToEnd(receiver: Receiver): void {
    if (!this.has(receiver)) return
    this.#receivers.delete(receiver.row.id)
    this.#receivers.set(receiver.row.id, receiver)
  }

  /**
   * Writes local changes and reads those in the database. Returns the receivers that are new, or whose state was
   * changed elsewhere.
   * @throws as the database does.
   */
  async refresh(moment: () => Moment): Promise<readonly Receiver[]> {
    await this.write()
    const rows = await this.#database.readOnce(({ db, run }) =>
      run(
        db.selectFrom("ping_receiver")
          .innerJoin("account", "account.id", "ping_receiver.account_id")
          .selectAll("ping_receiver")
          .where("ping_receiver.state", "in", ["on", "unconfirmed"])
          .where("account.disabled", "=", 0),
      )
    )
    const gone = new Set(this.#receivers.keys())
    const added: Receiver[] = []
    for (const row of rows) {
      gone.delete(row.id)
      const known = this.#receivers.get(row.id)
      if (known && isSame(known.row, row)) {
        known.row = row
        continue
      }
      const receiver = new Receiver(row, moment())
      this.#receivers.set(row.id, receiver)
      added.push(receiver)
    }
    for (const id of gone) this.#receivers.delete(id)
    return added
  }

  /** Writes local changes, except to receivers whose state was changed elsewhere. @throws as the database does. */
  async write(): Promise<void> {
    const changed = this.all.flatMap((receiver) => {
      const { row, progress: next } = receiver
      const columns = progressColumns.filter((column) => row[column] !== next[column])
      return columns.length > 0 ? [{ receiver, row, next, columns }] : []
    })
    const { background } = this.#database
    for (let first = 0; first < changed.length; first += portion) {
      const part = changed.slice(first, first + portion)
      const columns = new Set(part.flatMap(({ columns }) => columns))
      const values = (column: keyof Progress) =>
        oneByOne(part.map(({ row: { id }, next }) => [id, next[column]]))
      const set = Object.fromEntries([...columns].map((column) => [column, values(column)]))
      await this.#database.inBackground(() =>
        background.updateTable("ping_receiver").set(set)
          .where("id", "in", part.map(({ row }) => row.id))
          .where((eb) => eb("state", "=", oneByOne(part.map(({ row }) => [row.id, row.state]))))
          .where((eb) => eb("since", "=", oneByOne(part.map(({ row }) => [row.id, row.since]))))
          .where((eb) =>
            eb.exists(
              eb.selectFrom("ping_sender").select("ping_sender.id")
                .where("owner", "=", this.#owner),
            )
          )
          .execute()
      )
      for (const { receiver, row, next } of part) {
        receiver.row = { ...row, ...next }
      }
    }
  }
}

/** True unless the state was changed elsewhere. */
function isSame(one: ReceiverRow, other: ReceiverRow): boolean {
  return one.state === other.state && one.since === other.since && one.next_at === other.next_at
}

/** Returns an expression for a value per row, by id. */
function oneByOne<Value>(all: readonly (readonly [string, Value])[]): RawBuilder<Value> {
  const [first] = all
  if (all.every(([, value]) => value === first?.[1])) return sql`${first?.[1]}`
  const cases = all.map(([id, value]) => sql`when ${id} then ${value}`)
  return sql`case id ${sql.join(cases, sql` `)} end`
}
