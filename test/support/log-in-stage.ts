import type { Test } from "tap"
import { hashPassword } from "../../core/access/passwords.ts"
import type { Peer } from "../../core/http/answer.ts"
import { startInstance } from "../conformance/instance.ts"
import { generous, testConfig } from "./app.ts"
import { Builder, password } from "./builder.ts"
import { copiedUrl, type Engine, openFor } from "./database.ts"
import { scannedLog } from "./scanned-log.ts"

type Instance = Awaited<ReturnType<typeof startInstance>>

/** An attempt to log in, by default with the right password. */
interface Attempt {
  readonly word?: string
  readonly address?: string
  /** Called with what to call when the client disconnects. */
  readonly whenGone?: Peer["whenGone"] | undefined
  readonly instance?: Pick<Instance, "fetch">
}

/** A method that takes so long that attempts meet: less than half as long as that of new passwords. */
const costly = "$scrypt$ln=14,r=8,p=2"

/** The hash of the builder's password by that method, once it was needed. */
let costlyHash: Promise<string> | undefined

/** A service to log in to, on a fresh database. */
export async function logInStage(t: Test, engine: Engine) {
  const url = await copiedUrl(t, engine)
  const database = await openFor(t, url, { connections: 40 })
  const { writer } = database
  const build = new Builder(database)
  const config = await testConfig(url)
  /** The tables of the statements that read, and of those that insert. */
  const [read, inserted]: [string[], string[]] = [[], []]
  const start = async (changed: Partial<typeof config> = { limits: generous }) => {
    const instance = await startInstance({ ...config, ...changed }, {
      log: scannedLog(t, []),
      onStatement: (sql) => {
        read.push(/ from [`"](\w+)/.exec(sql)?.[1] ?? "")
        inserted.push(/^insert into [`"](\w+)/.exec(sql)?.[1] ?? "")
      },
    })
    t.teardown(() => instance.close())
    return instance
  }
  const asUsual = await start()
  return {
    database,
    build,
    config,
    read,
    inserted,
    start,
    /** Returns the status of an attempt. */
    async logIn(
      username: string,
      { word = password, address = "192.0.2.1", whenGone, instance = asUsual }: Attempt = {},
    ): Promise<number> {
      const request = new Request("http://localhost/session", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ username, password: word }),
      })
      const { status } = await instance.fetch(request, { address, ...whenGone && { whenGone } })
      return status
    },
    /** Adds an account with a hash that takes long to verify. */
    async costlyAccount(name: string, method?: string): Promise<void> {
      await build.account(name)
      const hash =
        await (method
          ? hashPassword(password, method)
          : costlyHash ??= hashPassword(password, costly))
      await writer.updateTable("account").set({ password: hash })
        .where("username", "=", name).execute()
    },
    async sessionsOf(name: string): Promise<number> {
      const rows = await writer.selectFrom("session")
        .innerJoin("account", "account.id", "account_id").select("session.id")
        .where("username", "=", name).execute()
      return rows.length
    },
  }
}

/** Returns how often a value is in a list. */
export function countOf<T>(list: readonly T[], value: T): number {
  return list.filter((each) => each === value).length
}

/** Returns what tells of clients that leave all at once, before they have an answer. */
export function clients() {
  const { promise: gone, resolve } = Promise.withResolvers<boolean>()
  let heard = 0
  const whenGone = (listener: (sent: boolean) => void) => {
    heard++
    void gone.then(listener)
  }
  return { whenGone, leave: () => resolve(false), isHeard: () => heard > 0 }
}
