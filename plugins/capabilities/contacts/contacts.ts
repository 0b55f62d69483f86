import type { Updateable } from "kysely"
import {
  type Author,
  type Change,
  changing,
  type Database,
  findAccount,
  formatMoment,
  type Schema,
  type Snapshot,
  UserError,
} from "../../../core/capability.ts"
import { longest } from "./tables.ts"

/** What operators have noted about a partner. Empty texts mean that they have noted nothing. */
export interface Contact {
  readonly contact: string
  readonly notes: string
  /** Null if it is not muted now. */
  readonly muted: Mute | null
}

/** Nobody wants to be told of a partner's state. Ends by itself. */
export interface Mute {
  /** Unix seconds. */
  readonly until: number
  /** Why, in an operator's words. */
  readonly because: string
}

/** The furthest end of a mute from now, in seconds. */
const longestMute = 366 * 86_400

/** Returns what is noted about an account. @throws {UserError} if the account does not exist. */
export async function readContact(
  { writer, dialect }: Pick<Database, "writer" | "dialect">,
  username: string,
): Promise<Contact> {
  const { id } = await findAccount(writer, username)
  const row = await writer.selectFrom("partner_contact").selectAll()
    .select(dialect.now.as("now"))
    .where("account_id", "=", id).executeTakeFirst()
  const until = row?.muted_until ?? 0
  return {
    contact: row?.contact ?? "",
    notes: row?.notes ?? "",
    muted: row && until > row.now ? { until, because: row.muted_because ?? "" } : null,
  }
}

/** Returns the mutes that count now, by the account's id. Read together with the health of partners. */
export async function readMutes(
  { db, dialect, run }: Pick<Snapshot, "db" | "dialect" | "run">,
): Promise<ReadonlyMap<string, Mute>> {
  const rows = await run(
    db.selectFrom("partner_contact").select(["account_id", "muted_until", "muted_because"])
      .where("muted_until", ">", dialect.now),
  )
  return new Map(rows.map(({ account_id, muted_until, muted_because }) => [
    account_id,
    { until: muted_until ?? 0, because: muted_because ?? "" },
  ]))
}

/** Returns the names of the accounts that are muted now. */
export async function listMuted(database: Database): Promise<readonly string[]> {
  const rows = await database.readOnce(({ db, dialect, run }) =>
    run(
      db.selectFrom("partner_contact")
        .innerJoin("account", "account.id", "partner_contact.account_id")
        .select("account.username")
        .where("muted_until", ">", dialect.now)
        .orderBy("account.username"),
    )
  )
  return rows.map(({ username }) => username)
}

/** Notes whom to tell about a partner, and what else there is to know. @throws {UserError} if there is no text, or if one is too long. */
export async function setContact(
  database: Database,
  username: string,
  { contact, notes }: {
    readonly contact?: string | undefined
    readonly notes?: string | undefined
  },
  by: Author,
): Promise<void> {
  const values = {
    ...contact !== undefined && { contact: checked("contact", contact) },
    ...notes !== undefined && { notes: checked("notes", notes) },
  }
  if (Object.keys(values).length === 0) {
    throw new UserError("Say whom to tell, or a note. Nothing was changed.")
  }
  // What they say is personal: the audit log has only that they were changed.
  const detail = `changed ${Object.keys(values).join(" and ")}`
  await change(database, username, values, { action: "contact", detail, by })
}

/**
 * Lets nobody be told of a partner's state until a time, in Unix seconds. A second mute replaces the first.
 * @throws {UserError} if that is not in the future, or is more than a year ahead, or if there is no reason.
 */
export async function mute(
  database: Database,
  username: string,
  { until, because }: Mute,
  by: Author,
): Promise<void> {
  const { now } = await database.writer.selectNoFrom(database.dialect.now.as("now"))
    .executeTakeFirstOrThrow()
  if (!(until > now)) {
    throw new UserError("A mute ends in the future: name a later day or time. Nothing was changed.")
  }
  if (until - now > longestMute) {
    throw new UserError("A mute lasts no longer than a year. Nothing was changed.")
  }
  const reason = checked("because", because)
  if (reason === null) throw new UserError("Say why it is muted. Nothing was changed.")
  const values = { muted_until: until, muted_because: reason }
  const detail = `until ${formatMoment(until)}`
  await change(database, username, values, { action: "mute", detail, by })
}

/** Ends a mute before its time. Does nothing if there is none. @throws {UserError} if the account does not exist. */
export async function unmute(database: Database, username: string, by: Author): Promise<void> {
  const values = { muted_until: null, muted_because: null }
  await change(database, username, values, { action: "unmute", detail: "ended its mute", by })
}

/** Returns a text without white space around it, null if there is none. @throws {UserError} if it is too long. */
function checked(name: keyof typeof longest, text: string): string | null {
  const trimmed = text.replaceAll("\r\n", "\n").trim()
  if (trimmed.length > longest[name]) {
    throw new UserError(
      `The text for ${name} may have up to ${longest[name]} characters. Nothing was changed.`,
    )
  }
  return trimmed === "" ? null : trimmed
}

async function change(
  database: Database,
  username: string,
  values: Omit<Updateable<Schema["partner_contact"]>, "account_id">,
  { action, detail, by }: Pick<Change, "action" | "detail"> & { readonly by: Author },
): Promise<void> {
  await changing(database, by, async ({ writer, dialect }, record) => {
    const { id: account_id, role } = await findAccount(writer, username)
    if (role !== "partner" && role !== "service") {
      throw new UserError(`${username} is no partner: its role is ${role}. Nothing was changed.`)
    }
    const insert = writer.insertInto("partner_contact").values({ account_id, ...values })
    await dialect.orUpdate(insert, "account_id", values).execute()
    await record({ action, account: username, detail })
  }, { denied })
}

const denied =
  'The database user may not change contacts: give it the privileges of "event-export grants". ' +
  "Nothing was changed."
