import { createHash, randomUUID } from "node:crypto"
import { parseCookie, stringifySetCookie } from "cookie"
import { sealData, unsealData } from "iron-session"
import { LRUCache } from "lru-cache"
import * as v from "valibot"
import { type Account, type Credentials, findCredentials } from "./accounts.ts"
import type { Database } from "../data/database.ts"
import { verifyPassword } from "./passwords.ts"

/** A live session, with the account that it belongs to. */
export interface Session {
  readonly id: string
  readonly account: Account
  /** Unix seconds. */
  readonly expires: number
  /** The database's clock when the session was looked up, in Unix seconds. */
  readonly now: number
}

/** What the cookie proves to have been handed out: a session and the account's epoch at the time. */
export interface SessionKey {
  readonly session: string
  readonly epoch: number
}

/** How sessions are made and read. */
interface SessionSettings {
  /** Newest first: the first seals, all unseal. */
  readonly secrets: readonly string[]
  /** Seconds. */
  readonly lifetime: number
  /** Seconds without a request after which a session ends; 0 is any time. */
  readonly idle?: number
  readonly cookie: string
  /** False only where the public address is plain http on loopback. */
  readonly secure: boolean
}

const sealed = v.object({ session: v.pipe(v.string(), v.uuid()), epoch: v.number() })

/** A browser refuses longer cookies; unsealing one would be work for nothing. */
const longestCookie = 4096

/**
 * Sessions in a sealed cookie, each backed by a row.
 *
 * The seal proves that the cookie was handed out here; the row and the account's epoch, read on
 * every request, say whether it still counts. Only the unsealing is remembered, so that an ended
 * session is refused by the next request on every instance.
 */
export class Sessions {
  readonly #database: Database
  readonly #settings: SessionSettings
  readonly #passwords: Record<string, string>
  readonly #sealing: Record<string, string>
  readonly #unsealed = new LRUCache<string, SessionKey>({ max: 2000, ttl: 10 * 60 * 1000 })

  constructor(database: Database, settings: SessionSettings) {
    this.#database = database
    this.#settings = settings
    // A seal names its secret by a number. Positions in the list would change when it rotates.
    const numbered = settings.secrets.map((secret) => [secretNumber(secret), secret] as const)
    this.#passwords = Object.fromEntries(numbered)
    this.#sealing = Object.fromEntries(numbered.slice(0, 1))
  }

  /**
   * What a request's `Cookie` header proves; undefined where it has no cookie of ours, or one that
   * is cut short, altered, expired or sealed with a secret that is no longer listed. Whether the
   * session still lives, `lookUpAdmission` tells.
   */
  async read(cookieHeader: string | null): Promise<SessionKey | undefined> {
    const cookie = cookieHeader === null
      ? undefined
      : parseCookie(cookieHeader)[this.#settings.cookie]
    if (!cookie || cookie.length > longestCookie) return undefined
    return this.#unsealed.get(cookie) ?? await this.#unseal(cookie)
  }

  /** Seconds without a request after which a session ends; 0 is any time. */
  get idle(): number {
    return this.#settings.idle ?? 0
  }

  /**
   * Tells whether a password is right, and of which account. Wrong names and disabled accounts take
   * the same work, and so the same time, as wrong passwords.
   */
  async verify(
    username: string,
    password: string,
  ): Promise<{ account: Credentials | undefined; right: boolean }> {
    const account = await findCredentials(this.#database, username)
    return { account, right: await verifyPassword(password, account?.password) }
  }

  /**
   * Opens a session without a password, for who has the secrets and the database anyway. Answers the
   * `Set-Cookie` header.
   */
  async open(
    account: { readonly id: string; readonly epoch: number },
    lifetime = this.#settings.lifetime,
  ): Promise<string> {
    const session = await insertSession(this.#database, account.id, lifetime)
    const key: SessionKey = { session, epoch: account.epoch }
    return this.#setCookie(
      await sealData(key, { password: this.#sealing, ttl: lifetime }),
      lifetime,
    )
  }

  /** Logs out: ends this session and no other. Answers the `Set-Cookie` header that clears the cookie. */
  async end(session: Session): Promise<string> {
    await deleteSession(this.#database, session.id)
    return this.#setCookie("", 0)
  }

  async #unseal(cookie: string): Promise<SessionKey | undefined> {
    const data = await unsealData(cookie, {
      password: this.#passwords,
      ttl: this.#settings.lifetime,
    })
    const parsed = v.safeParse(sealed, data)
    if (!parsed.success) return undefined
    this.#unsealed.set(cookie, parsed.output)
    return parsed.output
  }

  #setCookie(value: string, maxAge: number): string {
    const { cookie, secure } = this.#settings
    return stringifySetCookie({
      name: cookie,
      value,
      maxAge,
      path: "/",
      httpOnly: true,
      sameSite: "strict",
      secure,
    })
  }
}

/** Begins a session of `lifetime` seconds on the database's clock, and forgets the account's expired ones. */
export async function insertSession(
  { writer, dialect }: Database,
  accountId: string,
  lifetime: number,
): Promise<string> {
  const id = randomUUID()
  await writer.transaction().execute(async (db) => {
    await db
      .deleteFrom("session")
      .where("account_id", "=", accountId)
      .where("expires", "<=", dialect.now)
      .execute()
    await db
      .insertInto("session")
      .values((eb) => ({
        id,
        account_id: accountId,
        created: dialect.now,
        expires: eb(dialect.now, "+", lifetime),
      }))
      .execute()
  })
  return id
}

/** Ends one session. */
async function deleteSession({ writer }: Database, id: string): Promise<void> {
  await writer.deleteFrom("session").where("id", "=", id).execute()
}

function secretNumber(secret: string): number {
  return createHash("sha256").update(secret).digest().readUInt32BE()
}
