import { createHash } from "node:crypto"
import { sealData } from "iron-session"
import t from "tap"
import {
  hasLoggedInFrom,
  insertSession,
  pruneSessions,
  Sessions,
} from "../../../core/access/sessions.ts"
import type { EndReason } from "../../../core/data/service-tables.ts"
import { Unavailable } from "../../../core/data/unavailable.ts"
import { secret } from "../../support/app.ts"
import { Builder } from "../../support/builder.ts"
import { freshDatabase, onEveryEngine } from "../../support/database.ts"
import { isLive } from "../../support/live-session.ts"

const settings = { secrets: [secret], lifetime: 3600, cookie: "session", secure: false }

await onEveryEngine(t, async (t, engine) => {
  /** Is called with each statement. */
  let onStatement = (_sql: string) => {}
  const database = await freshDatabase(t, engine, { onStatement: (sql) => onStatement(sql) })
  const { writer, dialect } = database
  const ann = await new Builder(database).account("ann")
  const sessions = new Sessions(database, settings)
  const open = async () => {
    const opened = await sessions.open({ id: ann, epoch: 0, username: "ann" })
    const [cookie = ""] = opened.cookie.split(";")
    const key = await sessions.read(new Headers({ cookie }))
    if (!key) throw new Error("the cookie is not read")
    return { cookie, key, token: opened.token }
  }
  const set = (id: string, values: { expires?: number; reason?: EndReason | null }) =>
    writer.updateTable("session").set(values).where("id", "=", id).execute()

  await t.test("read says whose a cookie is, however long its session has ended", async (t) => {
    const { cookie, key } = await open()
    t.equal(await isLive(database, key), true)
    await set(key.session, { expires: 1 })
    const later = Date.now() + 400 * 86_400_000
    t.capture(Date, "now", () => later)
    const afresh = await new Sessions(database, settings).read(new Headers({ cookie }))
    t.match(afresh, { session: key.session, account: ann, username: "ann" })
    t.equal(afresh && await isLive(database, afresh), false, "the row decides")
  })

  await t.test("read takes cookies with a time in their seal until that time, and without a name", async (t) => {
    const key = { session: await insertSession(database, ann, 3600), epoch: 0, account: ann }
    const number = createHash("sha256").update(secret).digest().readUInt32BE()
    const sealed = await sealData(key, { password: { [number]: secret }, ttl: 3600 })
    const sent = new Headers({ cookie: `session=${sealed}` })
    t.strictSame(await new Sessions(database, settings).read(sent), key)
    const later = Date.now() + 4000_000
    t.capture(Date, "now", () => later)
    t.equal(await new Sessions(database, settings).read(sent), undefined)
  })

  for (const verb of ["insert", "select"]) {
    await t.test(`open leaves no session if its signal aborts at the ${verb}`, async (t) => {
      t.teardown(() => onStatement = () => {})
      const rows = () => writer.selectFrom("session").select("id").execute()
      const before = await rows()
      const stop = new AbortController()
      onStatement = (sql) => {
        if (sql.startsWith(verb) && /[`"]session[`"]/.test(sql)) stop.abort(new Error("too late"))
      }
      await t.rejects(sessions.open({ id: ann, epoch: 0 }, stop.signal), { message: "too late" })
      t.strictSame(await rows(), before)
    })
  }

  await t.test("a session counts until its reason and its end say otherwise", async (t) => {
    const states = [
      ...(["logged-out", "revoked", "password", "disabled"] as const)
        .map((reason) => [{ reason }, false] as const),
      [{ reason: "replaced" }, true],
      [{ reason: "replaced", expires: 1 }, false],
      [{ expires: 1 }, false],
    ] as const
    const other = await open()
    for (const [values, isExpected] of states) {
      const { key } = await open()
      await set(key.session, values)
      t.equal(await isLive(database, key), isExpected, JSON.stringify(values))
      await writer.deleteFrom("session").where("id", "=", key.session).execute()
      t.equal(await isLive(database, key), false, "a cookie without a row")
    }
    t.equal(await isLive(database, other.key), true)
  })

  await t.test("end keeps the row and says that its owner has logged out", async (t) => {
    const { key } = await open()
    const account = { id: ann, username: "ann", role: "partner" } as const
    t.match(await sessions.end({ id: key.session, account, expires: 0, now: 0 }), /Max-Age=0/)
    t.equal(await isLive(database, key), false)
    const row = await writer.selectFrom("session").selectAll().select(dialect.now.as("now"))
      .where("id", "=", key.session).executeTakeFirstOrThrow()
    t.equal(row.reason, "logged-out")
    t.ok(row.expires <= row.now)
    const fail = () => {
      throw new Unavailable("away")
    }
    const away = Object.create(database, { writer: { get: fail } })
    const ending = new Sessions(away, settings).end({ id: "", account, expires: 0, now: 0 })
    await t.rejects(ending, Unavailable, "it is not said to have ended before it has")
  })

  await t.test("hasLoggedInFrom is true for the account and the network of a session, also after its end", async (t) => {
    const network = "192.0.2.1"
    const { id } = await sessions.open({ id: ann, epoch: 0, network })
    await set(id, { expires: 1, reason: "revoked" })
    const known = (account: string | undefined, from = network) =>
      hasLoggedInFrom(database, account, from)
    t.equal(await known(ann), true)
    const others = [await known(ann, "192.0.2.2"), await known(crypto.randomUUID())]
    t.strictSame([...others, await known(undefined)], [false, false, false])
  })

  await t.test("pruneSessions deletes all sessions that ended 90 days ago, and no others", async (t) => {
    await writer.deleteFrom("session").execute()
    const live = await insertSession(database, ann, 3600)
    const ended = await insertSession(database, ann, -90 * 86_400 + 3600)
    const row = { account_id: ann, created: 0, expires: 1_600_000_000 }
    const values = Array.from({ length: 1001 }, () => ({ id: crypto.randomUUID(), ...row }))
    await writer.insertInto("session").values(values).execute()
    await pruneSessions(database)
    const left = await writer.selectFrom("session").select("id").execute()
    t.strictSame(new Set(left.map(({ id }) => id)), new Set([live, ended]))
  })
})
