import { sealData } from "iron-session"
import { Sessions } from "../../core/access/sessions.ts"
import { findCredentials } from "../support/find-credentials.ts"
import type { Database } from "../../core/data/database.ts"
import { insertSession } from "../../core/access/sessions.ts"

const lifetime = 43_200

/** The `Cookie` headers of one account, for the service and for the peer. */
export interface Cookies {
  readonly ours: string
  readonly peer: string
}

/** Logs an account in to the service and the peer; both cookies are sealed with `secret`. @throws {Error} if there is no such account. */
export async function logIn(
  database: Database,
  { username, secret }: { readonly username: string; readonly secret: string },
): Promise<Cookies> {
  const account = await findCredentials(database, username)
  if (!account) throw new Error(`There is no account ${username}.`)
  const cookie = "event_export_session"
  const sessions = new Sessions(database, { secrets: [secret], lifetime, cookie, secure: false })
  const [ours = ""] = (await sessions.open(account)).cookie.split(";")
  const session = await insertSession(database, account.id, lifetime)
  const data = { session, epoch: account.epoch }
  return { ours, peer: `peer_session=${await sealData(data, { password: secret })}` }
}
