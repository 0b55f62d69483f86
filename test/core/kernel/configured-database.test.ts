import { loadCapability } from "../../../core/config/capabilities.ts"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import t from "tap"
import { targetOf } from "../../../core/data/open.ts"
import { migrate } from "../../../core/data/migrate.ts"
import { findMissing } from "../../../core/data/check-tables.ts"
import { Databases } from "../../../core/kernel/configured-database.ts"
import { freshUrl } from "../../support/database.ts"

t.test("Databases.use shares a database until all its users have released it", async (t) => {
  const databases = new Databases()
  const url = await freshUrl(t, "sqlite")
  const config = (connections: number) => ({
    database: { url, connections, time_limit: 10 },
    capabilities: [],
  })
  const [one, two, other] = await Promise.all([
    databases.use(config(5)),
    databases.use(config(5)),
    databases.use(config(6)),
  ])
  t.equal(one.database, two.database)
  t.not(one.database, other.database)
  await one.release()
  await one.release()
  await two.database.ping()
  await two.release()
  await t.rejects(two.database.ping())
  await other.database.ping()
  const again = await databases.use(config(5))
  t.not(again.database, two.database)
  await again.database.ping()
  await Promise.all([again.release(), other.release()])
})

t.test("Databases.use shares no database among configurations with different tables", async (t) => {
  const databases = new Databases()
  const audit = { capability: await loadCapability("audit"), settings: undefined }
  const without = {
    database: { url: await freshUrl(t, "sqlite"), connections: 1, time_limit: 10 },
    capabilities: [],
  }
  const one = await databases.use(without)
  await migrate(one.database)
  t.strictSame(await findMissing(one.database), [])
  const other = await databases.use({ ...without, capabilities: [audit] })
  t.match(await findMissing(other.database), [/audit/], "a reload finds what it lacks")
  await Promise.all([one.release(), other.release()])
})

t.test("Databases.use tries again to open a database that could not be opened", async (t) => {
  const databases = new Databases()
  const folder = join(t.testdir(), "later")
  const url = `sqlite:${join(folder, "a.db")}`
  const config = { database: { url, connections: 1, time_limit: 1 }, capabilities: [] }
  writeFileSync(folder, "a file in its place")
  await t.rejects(databases.use(config))
  rmSync(folder)
  const { database, release } = await databases.use(config)
  await database.ping()
  await release()
})

t.test("targetOf returns another text for another password, and for another authority in the same file", async (t) => {
  const ca = join(t.testdir(), "ca.pem")
  const urls = [
    "sqlite:a.db",
    "sqlite:b.db",
    "mysql://a:1@h/d",
    "mysql://a:2@h/d",
    `mysql://a:1@h/d?ssl=verify&ca=${ca}`,
  ]
  writeFileSync(ca, "one")
  const before = await Promise.all(urls.map(targetOf))
  writeFileSync(ca, "two")
  const after = await Promise.all(urls.map(targetOf))
  t.equal(new Set(before).size, urls.length)
  t.strictSame(before.slice(0, -1), after.slice(0, -1))
  t.not(before.at(-1), after.at(-1))
  await t.rejects(targetOf("nonsense"), /must begin with/)
})
