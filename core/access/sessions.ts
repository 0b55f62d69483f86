import { createHash, randomUUID } from "node:crypto"
import { parseCookie, stringifySetCookie } from "cookie"
import { sealData, unsealData } from "iron-session"
import { sql } from "kysely"
import { boundedCache } from "../data/bounded-cache.ts"
import * as v from "valibot"
import type { Account } from "./accounts.ts"
import type { Database } from "../data/database.ts"
import { deleteOld } from "../data/delete-in-portions.ts"
import type { Writer } from "./audit-changes.ts"
import { endNow } from "./session-ends.ts"
import { parseScope, type TokenScope } from "./token-scope.ts"

/** A live session, with the account that it belongs to. */
export interface Session {
  readonly id: string
  readonly account: Account
  /** Unix seconds. */
  readonly expires: number
  /** The database's clock at the time of the look-up, in Unix seconds. */
  readonly now: number
  /** True if an operator has opened it for a program: what it makes must not outlive it. */
  readonly isForProgram?: boolean
  /** What its token is limited to; without it, the account's rights decide alone. */
  readonly scope?: TokenScope
}

/** The limits of a program's session. */
export interface SessionLimits {
  readonly isForProgram: true
  readonly scope: TokenScope | undefined
}

/** A session that has just been opened. */
export interface OpenedSession {
  readonly id: string
  /** The `Set-Cookie` header. */
  readonly cookie: string
  /** The value of the cookie, which also counts as a bearer token. */
  readonly token: string
  /** Unix seconds. */
  readonly expires: number
}

const sessionKey = v.object({
  session: v.pipe(v.string(), v.uuid()),
  epoch: v.number(),
  /** The account's id. */
  account: v.string(),
  /** The account's name, to say whose a session was that has ended; absent in cookies from before. */
  username: v.optional(v.string()),
  /** Present if an operator has opened it for a program; absent in cookies from before. */
  program: v.optional(v.literal(true)),
  /** In cookies, as it is written. */
  scope: v.optional(v.pipe(
    v.string(),
    v.transform(parseScope),
    v.custom<TokenScope>((scope) => scope !== undefined),
  )),
})

/** The content of a cookie: the session, its account, and the account's epoch when it was issued. */
export type SessionKey = Readonly<v.InferOutput<typeof sessionKey>>

/** Finds the session of a bearer token that is not sealed; undefined if it does not know the token. */
export type FindByToken = (token: string) => Promise<SessionKey | undefined>

/** How sessions are made and read. */
export interface SessionSettings {
  /** Newest first. The first seals cookies; all unseal them. */
  readonly secrets: readonly string[]
  /** Seconds. */
  readonly lifetime: number
  /** Seconds without a request after which a session ends; 0 means never. */
  readonly idle?: number
  /** The name of the cookie. */
  readonly cookie: string
  /** False only if the public address is plain http on loopback. */
  readonly secure: boolean
  /** Are asked in turn for a bearer token, before it is unsealed; by default none. */
  readonly finders?: readonly FindByToken[]
}

/** Characters. Browsers refuse longer cookies, so unsealing one would be wasted work. */
const longestToken = 4096

/**
 * Sessions in a sealed cookie, each backed by a row.
 *
 * The seal proves that the cookie was issued here. The row and the account's epoch, read on every request, say whether
 * it still counts. The seal itself never expires, so that a request with the cookie of an ended session is known to be
 * its account's. Only the unsealing is cached, so an ended session is refused at the next request, by every instance.
 *
 * Programs may send the cookie's value as a bearer token instead: it is the same session. Others find sessions by
 * bearer tokens of their own.
 */
export class Sessions {
  readonly #database: Database
  readonly #settings: SessionSettings
  readonly #passwords: Record<string, string>
  readonly #sealing: Record<string, string>
  readonly #unsealed = boundedCache<SessionKey>({ most: 2000, ttl: 10 * 60 * 1000 })

  constructor(database: Database, settings: SessionSettings) {
    this.#database = database
    this.#settings = settings
    // A seal names its secret by a number. Positions in the list change when secrets rotate.
    const numbered = settings.secrets.map((secret) => [secretNumber(secret), secret] as const)
    this.#passwords = Object.fromEntries(numbered)
    this.#sealing = Object.fromEntries(numbered.slice(0, 1))
  }

  /**
   * Finds the session that a request names by its bearer token or, without one, by its cookie; undefined if there is none,
   * or if it is cut short, altered, or sealed with a secret that is no longer listed. With a wrong bearer token, the cookie
   * does not count. Other schemes of `Authorization` are ignored: a proxy may use them. `lookUpAdmission` checks whether
   * the session is live. @throws {Unavailable} if a token has to be looked up, and cannot be.
   */
  async read(headers: Headers): Promise<SessionKey | undefined> {
    const bearer = bearerOf(headers)
    if (bearer) {
      const { token } = bearer
      if (!token) return undefined
      for (const find of this.#settings.finders ?? []) {
        const key = await find(token)
        if (key) return key
      }
      return await this.#readToken(token)
    }
    const cookie = parseCookie(headers.get("cookie") ?? "")[this.#settings.cookie]
    // Java's clients put the value in quotes, as RFC 6265 allows.
    return await this.#readToken(cookie?.replace(/^"(.*)"$/, "$1"))
  }

  /** The name of the cookie. */
  get cookie(): string {
    return this.#settings.cookie
  }

  /** Seconds without a request after which a session ends; 0 means never. */
  get idle(): number {
    return this.#settings.idle ?? 0
  }

  /**
   * Opens a session. Needs no password: the caller has checked it, or has the secrets and the database
   * anyway. Leaves none if `signal` aborts, and throws its reason.
   */
  async open(
    account: Partial<SessionLimits> & {
      readonly id: string
      readonly epoch: number
      readonly username?: string
      /** Where it logs in: what `networkOf` returns. */
      readonly network?: string
    },
    signal?: AbortSignal,
  ): Promise<OpenedSession> {
    const { lifetime } = this.#settings
    const { epoch, username, isForProgram, scope, network } = account
    const id = await insertSession(this.#database, account.id, lifetime, { network })
    const key = {
      ...{ session: id, epoch, account: account.id, username },
      ...isForProgram && { program: true },
      ...scope && { scope: scope.text },
    } satisfies v.InferInput<typeof sessionKey>
    const { expires } = await this.#database.writer
      .selectFrom("session")
      .select("expires")
      .where("id", "=", id)
      .executeTakeFirstOrThrow()
    const token = await sealData(key, { password: this.#sealing, ttl: 0 })
    // It may have waited for a lock, or for the processor.
    if (signal?.aborted) await this.forget({ id })
    signal?.throwIfAborted()
    return { id, cookie: this.#setCookie(token, { lifetime, expires }), token, expires }
  }

  /** Ends one session and returns the `Set-Cookie` header that clears the cookie. */
  async end(session: Session): Promise<string> {
    await endNow(this.#database, session.id, "logged-out")
    return this.#setCookie("", { lifetime: 0, expires: 0 })
  }

  /** Deletes a session whose token has not left this process. */
  async forget({ id }: Pick<OpenedSession, "id">): Promise<void> {
    await this.#database.writer.deleteFrom("session").where("id", "=", id).execute()
  }

  async #readToken(token: string | undefined): Promise<SessionKey | undefined> {
    if (!token || token.length > longestToken) return undefined
    return this.#unsealed.get(token) ?? await this.#unseal(token)
  }

  async #unseal(token: string): Promise<SessionKey | undefined> {
    // Those from before have a time in the seal, past which this returns nothing.
    const data = await unsealData(token, { password: this.#passwords, ttl: 0 })
    const parsed = v.safeParse(sessionKey, data)
    if (!parsed.success) return undefined
    this.#unsealed.set(token, parsed.output)
    return parsed.output
  }

  /** Gives the end in both forms: without `Expires`, Java takes the cookie for one of an older standard. */
  #setCookie(
    value: string,
    { lifetime: maxAge, expires }: { readonly lifetime: number; readonly expires: number },
  ): string {
    const { cookie, secure } = this.#settings
    const end = { maxAge, expires: new Date(1000 * expires) }
    const limits = { path: "/", httpOnly: true, sameSite: "strict", secure } as const
    return stringifySetCookie({ name: cookie, value, ...end, ...limits })
  }
}

/** Adds a session of `lifetime` seconds by the database's clock, and returns its id. A lasting one is never idle. */
export async function insertSession(
  { writer, dialect }: Writer,
  accountId: string,
  lifetime: number,
  { lasting = 0, network }: {
    readonly lasting?: 0 | 1
    readonly network?: string | undefined
  } = {},
): Promise<string> {
  const id = randomUUID()
  // One statement: with others in its transaction, concurrent log-ins could deadlock.
  await writer
    .insertInto("session")
    .values((eb) => ({
      id,
      account_id: accountId,
      created: dialect.now,
      expires: eb(dialect.now, "+", lifetime),
      lasting,
      network: network ?? null,
    }))
    .execute()
  return id
}

/**
 * Returns true if an account has logged in from a network, as `networkOf` returns it, lately: until its session is
 * forgotten. False without an account.
 */
export async function hasLoggedInFrom(
  { writer, dialect }: Writer,
  accountId: string | undefined,
  network: string,
): Promise<boolean> {
  const session = await writer.selectFrom("session").select("id")
    .modifyFront(dialect.byIndex("session", "session_network"))
    .where("account_id", "=", accountId ?? "")
    .where("network", "=", network)
    .limit(1)
    .executeTakeFirst()
  return session !== undefined
}

/** Seconds for which an ended session is remembered: 90 days. */
const rememberedSeconds = 90 * 86_400

/** Deletes the sessions that ended 90 days ago, until `signal` aborts. */
export async function pruneSessions(
  { background, dialect }: Database,
  signal?: AbortSignal,
): Promise<void> {
  const isOld = sql`expires <= ${dialect.now} - ${rememberedSeconds}`
  await deleteOld(background, { table: "session", key: ["id"], isOld }, signal)
}

function secretNumber(secret: string): number {
  return createHash("sha256").update(secret).digest().readUInt32BE()
}

/** Returns the bearer token of a request, or undefined if it has none. `token` is undefined if the header is malformed. */
export function bearerOf(headers: Headers): { readonly token: string | undefined } | undefined {
  const [scheme, token, ...rest] = (headers.get("authorization") ?? "").trim().split(/ +/)
  if (scheme?.toLowerCase() !== "bearer") return undefined
  return { token: rest.length > 0 ? undefined : token }
}
