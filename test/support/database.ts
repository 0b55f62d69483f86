import { allStorages } from "./storages.ts"
import "./clean-environment.ts"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import type { Test } from "tap"
import type { Database, DatabaseOptions } from "../../core/data/database.ts"
import { openDatabase } from "../../core/data/open.ts"
import type { Storages } from "../../core/data/storage.ts"
import { createMysql, dropMysql, giveBackMysql, migrateMysql, takeMysql } from "./mysql/pool.ts"
import { copySqlite } from "./sqlite-template.ts"
import { filterInside } from "./test-filter.ts"

export type Engine = "sqlite" | "mysql"

/** True where suites run only on what they usually do not, as their verdict seldom differs: `make soak STAGE=engines`. */
export const isElsewhere = Boolean(process.env["ELSEWHERE"])

/**
 * Runs a suite on the embedded database, for code that does not depend on the database's own SQL, transactions,
 * triggers, locks or collations. `make soak STAGE=engines` runs it on MySQL.
 */
export async function onEmbedded(t: Test, suite: Suite): Promise<void> {
  await onEngine(t, isElsewhere ? "mysql" : "sqlite", suite)
}

/** Runs a suite on the embedded database and on MySQL, each as a separate test. */
export async function onEveryEngine(t: Test, suite: Suite): Promise<void> {
  if (isElsewhere) return
  await onEngine(t, "sqlite", suite)
  await onEngine(t, "mysql", suite)
}

type Suite = (t: Test, engine: Engine) => Promise<void>

async function onEngine(t: Test, engine: Engine, suite: Suite): Promise<void> {
  const name = engine === "sqlite" ? "on the embedded database" : "on MySQL"
  await t.test(name, { skip: engine === "mysql" && withoutMysql }, (t) => {
    filterInside(t)
    return suite(t, engine)
  })
}

/** The reason to skip tests on MySQL; false if they run. */
export const withoutMysql: false | string = process.env["TEST_MYSQL_URL"]
  ? false
  : "TEST_MYSQL_URL is not set; make test sets it"

/** Somebody who says when it ends: a test. */
export type Teardown = { teardown(end: () => unknown): void }

/** Creates an empty database, removes it after the test, and returns its URL. */
export async function freshUrl(t: Teardown, engine: Engine): Promise<string> {
  if (engine === "sqlite") {
    const folder = mkdtempSync(join(tmpdir(), "event-export-"))
    t.teardown(() => rmSync(folder, { recursive: true, force: true }))
    return `sqlite:${join(folder, "test.db")}`
  }
  const url = await createMysql()
  t.teardown(() => dropMysql(url))
  return url
}

/**
 * Returns the URL of a migrated database that is the test's until it ends, with the tables, triggers and rows of a new
 * one. On MySQL, other tests have it before and afterwards.
 */
export async function copiedUrl(t: Teardown, engine: Engine): Promise<string> {
  if (engine === "sqlite") return await ownUrl(t, engine)
  const url = await takeMysql()
  t.teardown(() => giveBackMysql(url))
  return url
}

/** The same for tests that change tables or triggers, or that need only these tables: no other test has it. */
export async function ownUrl(
  t: Teardown,
  engine: Engine,
  storages?: Storages,
): Promise<string> {
  const url = await freshUrl(t, engine)
  await (engine === "sqlite" ? copySqlite : migrateMysql)(url, storages)
  return url
}

/** Opens a database, and closes it after the test. */
export async function openFor(
  t: Test,
  url: string,
  options: Partial<DatabaseOptions> = {},
): Promise<Database> {
  const database = await openDatabase(url, {
    connections: 4,
    timeLimit: 10,
    storages: allStorages,
    ...options,
  })
  t.teardown(() => database.close())
  return database
}

/** Creates and migrates a database, and closes it after the test. */
export async function freshDatabase(
  t: Test,
  engine: Engine,
  options: Partial<DatabaseOptions> = {},
): Promise<Database> {
  return await openFor(t, await copiedUrl(t, engine), options)
}
