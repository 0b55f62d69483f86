import mysql from "mysql2/promise"
import t from "tap"
import type { Database } from "../../../core/data/database.ts"
import { migrate } from "../../../core/data/migrate.ts"
import { openDatabase } from "../../../core/data/open.ts"
import { startInstance } from "../../conformance/instance.ts"
import { type App, appOf, generous, testConfig } from "../../support/app.ts"
import { Builder } from "../../support/builder.ts"
import { withoutMysql } from "../../support/database.ts"
import { startLocal } from "../../support/mysql/local-server.ts"
import { unpackedProgram } from "../../support/mysql/programs.ts"
import { allStorages } from "../../support/storages.ts"

const silent = { debug() {}, info() {}, warn() {}, error() {} }
const never = new AbortController().signal

/** Variables that say how much a server may do at all: what is too much for them fails, with the server's reason. */
const limits =
  /^(max_allowed_packet|max_user_connections|max_.*_size|.*_buffer_size|.*mem(ory)?_.*|tmp_.*|thread_stack)$/

interface Variable {
  readonly name: string
  readonly value: string
}

async function readVariables(owner: mysql.Connection, kind: string): Promise<Variable[]> {
  const [rows] = await owner.query<mysql.RowDataPacket[]>(
    kind === "mysql"
      ? `select variable_name as Variable_name, variable_value as Value from performance_schema.session_variables
         join performance_schema.variables_metadata using (variable_name) where variable_scope = 'SESSION'`
      : `select lower(variable_name) as Variable_name, session_value as Value from information_schema.system_variables
         where variable_scope = 'SESSION' and read_only = 'NO'`,
  )
  return rows.map((row) => ({ name: row["Variable_name"], value: row["Value"] }))
}

/** Returns values that differ from the usual one, as SQL. The server refuses those that it does not know. */
function othersOf({ name, value }: Variable): string[] {
  if (name === "sql_mode") {
    return [
      "ANSI",
      "NO_BACKSLASH_ESCAPES",
      "PAD_CHAR_TO_FULL_LENGTH",
      "TRADITIONAL",
      "ORACLE",
      "HIGH_NOT_PRECEDENCE",
      "NO_UNSIGNED_SUBTRACTION",
      "TIME_TRUNCATE_FRACTIONAL",
      "ONLY_FULL_GROUP_BY",
      "NO_AUTO_VALUE_ON_ZERO",
      "REAL_AS_FLOAT",
      "PIPES_AS_CONCAT",
      "IGNORE_SPACE",
      "EMPTY_STRING_IS_NULL",
      "SIMULTANEOUS_ASSIGNMENT",
      "TIME_ROUND_FRACTIONAL",
      "",
    ].map((mode) => `'${mode}'`)
  }
  if (/zone/.test(name)) return ["'+05:45'", "'-11:00'"]
  if (value === "ON") return ["0"]
  if (value === "OFF") return ["1"]
  if (value !== "" && !Number.isNaN(Number(value))) {
    return [...new Set(["0", "1", "2", String(Number(value) * 2 + 1)])]
  }
  if (/[=]/.test(value)) {
    return value.split(",").map((flag) =>
      `'${flag.endsWith("=on") ? flag.replace("=on", "=off") : flag.replace("=off", "=on")}'`
    )
  }
  return ["0", "1", "2", "3", "'latin1'", "'latin1_german2_ci'", "'MyISAM'", "'de_DE'"]
}

/** A service on a database, started anew for each play. */
class Stage {
  /** Fills a new database. */
  static async open(url: string): Promise<Stage> {
    return await withDatabase(url, async (database) => {
      await migrate(database)
      const build = new Builder(database)
      const event = await build.event(await build.organization("acme"))
      await build.account("acme-export", "service")
      await build.grant("acme-export", { organization: "acme" })
      for (let count = 0; count < 5; count++) {
        const guest = await build.guest(event, { first_name: `Zoë ${count}`, last_name: "O’Brien" })
        await build.consent(event, guest)
        await build.address(event, guest)
        await build.item("tickets", event, { description: '\\ and "' })
        await build.item("auctionItems", event, { tax_rate: 20.125 })
      }
      return new Stage(url, event)
    })
  }

  readonly #url: string
  readonly #event: string

  private constructor(url: string, event: string) {
    this.#url = url
    this.#event = event
  }

  /** Starts the service, changes records and reads all of them. Returns what it answers, without times. */
  async play(): Promise<string> {
    return await withDatabase(this.#url, async (database) => {
      const config = await testConfig(this.#url)
      const instance = await startInstance({ ...config, limits: generous }, { log: silent })
      try {
        const app = appOf(
          database,
          [],
          (path, init) => instance.fetch(new Request(`http://localhost${path}`, init)),
        )
        return await this.#read(database, app)
      } finally {
        await instance.close()
      }
    })
  }

  async #read(database: Database, app: App): Promise<string> {
    await database.writer.deleteFrom("rate_limit").execute()
    const stranger = await app.request("/session", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ username: `o\\'brien" or ${Math.random()} -- `, password: "wrong" }),
    })
    const get = await app.logIn("acme-export")
    const path = `/acme/v1/events/${this.#event}`
    const answers = [stranger.status]
    const texts: string[] = []
    const read = async (path: string, headers: Record<string, string> = {}) => {
      const response = await get(path, { headers })
      answers.push(response.status)
      texts.push(await response.text())
    }
    await change(database, this.#event)
    await read(`${path}/changes?limit=1000`)
    for (const list of ["guests", "items"]) {
      await read(`${path}/${list}?limit=1000`)
      // Which records follow depends on when they changed.
      answers.push((await get(`${path}/${list}?limit=1000&offset=2&since=1`)).status)
      for (const end of ["deletions", "digest", "digest?of=content", "export"]) {
        await read(`${path}/${list}/${end}`)
      }
    }
    await read(`${path}/guests?q=o'brien`, { accept: "text/csv" })
    await read("/acme/v1/events")
    return [answers.join(" "), ...texts.map(inOneOrder)].join("\n")
  }
}

/** Returns an answer without what differs each time: times, what is computed from them, and the order by them. */
function inOneOrder(text: string): string {
  const known = text.replaceAll(/\b\d{10}\b/g, "<time>")
    .replaceAll(/"(next|digest|sha256)": ?"[^"]*"/g, '"$1":"<opaque>"')
    // Behind whichever record is the last one of the feed.
    .replace(/\],("next":"<opaque>","more":\w+)\}$/, "\n$1")
  return known.split(/(?=\{"id":)|(?=\{"list":)|\n/).toSorted().join("\n").replaceAll(
    /[,\]}]+$/gm,
    "",
  )
}

/** Changes a guest, and deletes another one that it inserts again. */
async function change({ writer }: Database, event_id: string): Promise<void> {
  const guests = await writer.selectFrom("guest").selectAll().where("event_id", "=", event_id)
    .orderBy("id").execute()
  const [first, second] = guests
  if (!first || !second) throw new Error("the stage has no guests")
  await writer.updateTable("guest").set({ company_name: "A \\ company" }).where(
    "event_id",
    "=",
    event_id,
  )
    .where("id", "=", first.id).execute()
  await writer.transaction().execute(async (db) => {
    await db.deleteFrom("guest").where("event_id", "=", event_id).where("id", "=", second.id)
      .execute()
    const { export_version: _version, ...row } = second as typeof second & {
      export_version?: unknown
    }
    await db.insertInto("guest").values(row).execute()
    await db.insertInto("consent")
      .values({ event_id, guest_id: second.id, asked: 1, status: "active", channels: "email" })
      .execute()
  })
}

async function withDatabase<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase(url, { connections: 2, timeLimit: 10, storages: allStorages })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

// A play for each of some hundred values.
t.setTimeout(30 * 60_000)
for (const kind of ["mysql", "mariadb"] as const) {
  await t.test(
    `every session variable of ${kind} may have another default`,
    { skip: withoutMysql },
    async (t) => {
      const { url, stop } = await startLocal(await unpackedProgram(kind, never), never)
      t.teardown(stop)
      const owner = await mysql.createConnection(url)
      t.teardown(() => owner.end())
      await owner.query("create database variables")
      const place = new URL(url)
      place.pathname = "/variables"
      const stage = await Stage.open(place.href)
      await stage.play()
      const expected = await stage.play()
      t.equal(await stage.play(), expected, "nothing is changed")
      const variables = await readVariables(owner, kind)
      t.ok(variables.length > 100, `${variables.length} variables`)
      let tried = 0
      for (const variable of variables.filter(({ name }) => !limits.test(name))) {
        for (const value of othersOf(variable)) {
          const set = `set global ${variable.name} = ${value}`
          if (!await owner.query(set).then(() => true, () => false)) continue
          tried++
          const played = await stage.play().catch((error: unknown) =>
            String((error as Error).message)
          )
          t.equal(played, expected, set)
          await owner.query(`set global ${variable.name} = default`).catch(() =>
            owner.query(`set global ${variable.name} = ?`, [variable.value])
          )
        }
      }
      t.comment(`${tried} values of ${variables.length} variables`)
    },
  )
}
