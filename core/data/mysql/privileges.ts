import type { Schema } from "../schema.ts"

type Privilege = "select" | "insert" | "update" | "delete"

/** What serving needs of each relation, and nothing more: the data is only read, its log pruned. */
const needed: Readonly<Record<keyof Schema, readonly Privilege[]>> = {
  organization: ["select"],
  event: ["select"],
  guest: ["select"],
  consent: ["select"],
  address: ["select"],
  buy_now_item: ["select"],
  auction_item: ["select"],
  pledge: ["select"],
  raffle: ["select"],
  gli_raffle: ["select"],
  ticket: ["select"],
  change_log: ["select", "delete"],
  change_log_horizon: ["select", "update"],
  account: ["select"],
  access_grant: ["select"],
  session: ["select", "insert", "update", "delete"],
  account_activity: ["select", "insert", "update"],
  rate_limit: ["select", "insert", "update", "delete"],
  audit_log: ["select", "insert", "delete"],
}

/** Tables of the migrations: a start looks at them. */
const bookkeeping = ["kysely_migration", "kysely_migration_lock"]

/** The user that serves, as MySQL writes it. */
export interface ServingUser {
  readonly name: string
  readonly host: string
  readonly database: string
}

/** The statements that give a MySQL user exactly what serving needs; its password is another matter. */
export function grantStatements({ name, host, database }: ServingUser): string[] {
  const user = `${quoted(name)}@${quoted(host)}`
  const on = (privileges: readonly string[], relation: string) =>
    `grant ${privileges.join(", ")} on ${identifier(database)}.${identifier(relation)} to ${user};`
  return [
    ...Object.entries(needed).map(([relation, privileges]) => on(privileges, relation)),
    ...bookkeeping.map((relation) => on(["select"], relation)),
  ]
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`
}

function identifier(text: string): string {
  return `\`${text.replaceAll("`", "``")}\``
}
