import { copyFileSync, renameSync, rmSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import t, { type Test } from "tap"
import { openSource } from "../../../../plugins/capabilities/connect/sources/open.ts"
import { allRows } from "../../../../plugins/capabilities/connect/sources/source.ts"

function openFile(t: Test) {
  const path = join(t.testdir(), "platform.db")
  const file = new DatabaseSync(path)
  t.teardown(() => file.close())
  file.exec("create table person (name text); insert into person values ('Ada')")
  return { path, file }
}

async function openNames(t: Test, path: string) {
  const source = await openSource(`sqlite:${path}`)
  t.teardown(() => source.close())
  return () => source.snapshot((reader) => allRows(reader, "select name from person"))
}

t.test("a source in SQLite whose file is replaced is read anew, and is missed if it is gone", async (t) => {
  const { path } = openFile(t)
  const names = await openNames(t, path)
  t.strictSame(await names(), [["Ada"]])
  copyFileSync(path, `${path}.new`)
  const other = new DatabaseSync(`${path}.new`)
  other.exec("update person set name = 'Eve'")
  other.close()
  renameSync(`${path}.new`, path)
  t.strictSame(await names(), [["Eve"]])
  rmSync(path)
  await t.rejects(names(), /The file of the source does not exist/)
})

t.test("nothing else waits for a source in SQLite that is locked", async (t) => {
  const { path, file } = openFile(t)
  const names = await openNames(t, path)
  t.strictSame(await names(), [["Ada"]])
  file.exec("begin exclusive; update person set name = 'Eve'")
  const reading = names()
  // Only who gets a turn ends the lock.
  await new Promise((resolve) => setImmediate(resolve))
  file.exec("commit")
  t.strictSame(await reading, [["Eve"]])
})
