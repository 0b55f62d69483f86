import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import t from "tap"
import { writeCookieJar } from "../../../../plugins/capabilities/sessions/cookie-jar.ts"

t.test("writeCookieJar writes a file that curl reads, and only its owner, whatever the umask", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "event-export-"))
  const umask = process.umask(0)
  t.teardown(() => {
    process.umask(umask)
    rmSync(folder, { recursive: true })
  })
  const path = join(folder, "jar")
  const write = (header: string) =>
    writeCookieJar(path, { header, host: "export.example.org", expires: 1_900_000_000 })
  const fields = () => readFileSync(path, "utf8").trimEnd().split("\n").at(-1)?.split("\t")

  write("name=value=; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Strict")
  t.equal(statSync(path).mode & 0o777, 0o600)
  t.strictSame(fields(), [
    ...["#HttpOnly_export.example.org", "FALSE", "/", "TRUE", "1900000000", "name", "value="],
  ])
  write("name=value; Max-Age=60; Path=/; HttpOnly; SameSite=Strict")
  t.equal(fields()?.[3], "FALSE", "a cookie that is not Secure is sent over http, too")
  t.end()
})

t.test("writeCookieJar replaces no file that the group or others may use", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "event-export-"))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const path = join(folder, "jar")
  writeFileSync(path, "before")
  for (const mode of [0o640, 0o620, 0o604, 0o601]) {
    chmodSync(path, mode)
    const cookie = { header: "name=value", host: "localhost", expires: 0 }
    t.throws(() => writeCookieJar(path, cookie), { name: "UserError" }, mode.toString(8))
    t.equal(readFileSync(path, "utf8"), "before")
  }
  t.end()
})
