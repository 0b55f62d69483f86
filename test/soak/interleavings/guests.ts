import mysql from "mysql2/promise"
import type { Plan } from "./plan.ts"

/** Writers own the guests 0 and 1, and insert 3 and 4. */
const initial = [0, 1, 2]

/** Returns the id of a guest, which ends with its number. */
export function idOf({ ranks }: Plan, guest: number): string {
  return `${ranks[guest]}0000000-0000-4000-8000-00000000000${guest}`
}

/** Returns what a table of steps calls a guest. */
export function nameOf(id: string): string {
  return `#${id.at(-1)}`
}

/** Makes the statements of writers for the guests of an event. */
export class Guests {
  readonly #event: string
  readonly #plan: Plan
  readonly #isFiltered: boolean

  /** If `isFiltered`, all guests consent when they are inserted. */
  constructor(event: string, plan: Plan, isFiltered: boolean) {
    this.#event = event
    this.#plan = plan
    this.#isFiltered = isFiltered
  }

  /** Returns the statements that add the event with its guests; those of a moment together. */
  begin(organization: string): readonly string[] {
    const { writers, consents } = this.#plan
    const gone = writers.flatMap(({ operation }, writer) =>
      operation === "insert again" ? [3 + writer] : []
    )
    const consented = initial.filter((guest) =>
      writers[guest]?.operation === "consent" ? consents[guest] !== "add" : this.#isFiltered
    )
    const event = mysql.format(
      "insert into event (id, organization_id, name, status, currency, timezone, starts, ends, " +
        "created, updated) values (?, ?, 'Gala', 'running', 'GBP', 'UTC', 0, 0, 0, 0)",
      [this.#event, organization],
    )
    return [
      [event, this.#insert([...initial.slice(0, 2), ...gone])],
      [this.#insert(initial.slice(2)), ...consented.map((guest) => this.#consent(guest))],
      gone.map((guest) => this.#delete(guest)),
    ].map((statements) => statements.join("; ")).filter((statements) => statements !== "")
  }

  /** Returns the statements that change each guest that exists, in two moments. */
  touchAll(): readonly string[] {
    return [initial.slice(0, 2), initial.slice(2)].map((guests) =>
      guests.map((guest) => this.#update(guest, "before")).join("; ")
    )
  }

  /** Returns the statement of a writer, and what a table of steps calls it. */
  write(writer: number): { readonly statement: string; readonly does: string } {
    const { writers, consents } = this.#plan
    const operation = writers[writer]?.operation ?? "update"
    const guest = operation.startsWith("insert") ? 3 + writer : writer
    const does = `${operation} #${guest}`
    if (operation === "update") return { statement: this.#update(guest, "after"), does }
    if (operation === "delete") return { statement: this.#delete(guest), does }
    if (operation === "replace") {
      return { statement: `${this.#delete(guest)}; ${this.#make(guest)}`, does }
    }
    if (operation !== "consent") return { statement: this.#make(guest), does }
    const what = consents[writer]
    const where = mysql.format("where event_id = ? and guest_id = ?", [
      this.#event,
      idOf(this.#plan, guest),
    ])
    const statements = {
      add: this.#consent(guest),
      change: `update consent set channels = 'sms' ${where}`,
      remove: `delete from consent ${where}`,
    }
    return { statement: statements[what ?? "add"], does: `${what} the consent of #${guest}` }
  }

  #make(guest: number): string {
    const insertion = this.#insert([guest])
    return this.#isFiltered ? `${insertion}; ${this.#consent(guest)}` : insertion
  }

  #insert(guests: readonly number[]): string {
    const rows = guests.map((guest) => [
      this.#event,
      idOf(this.#plan, guest),
      "Ada",
      "Lovelace",
      "ada@example.org",
      "",
      "as it was",
      0,
      0,
      0,
    ])
    return mysql.format(
      "insert into guest (event_id, id, first_name, last_name, email, mobile, external_id, sms_opt_in, " +
        "created, updated) values ?",
      [rows],
    )
  }

  #update(guest: number, external: string): string {
    return mysql.format("update guest set external_id = ? where event_id = ? and id = ?", [
      external,
      this.#event,
      idOf(this.#plan, guest),
    ])
  }

  #delete(guest: number): string {
    return mysql.format("delete from guest where event_id = ? and id = ?", [
      this.#event,
      idOf(this.#plan, guest),
    ])
  }

  #consent(guest: number): string {
    return mysql.format(
      "insert into consent (event_id, guest_id, asked, status, channels) " +
        "values (?, ?, 1, 'active', 'email')",
      [this.#event, idOf(this.#plan, guest)],
    )
  }
}
