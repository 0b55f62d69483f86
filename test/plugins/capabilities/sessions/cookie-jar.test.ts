import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import t from "tap"
import { writeCookieJar } from "../../../../plugins/capabilities/sessions/cookie-jar.ts"

t.test("writeCookieJar writes a file for its owner only, whatever the umask, and replaces none of others", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "event-export-"))
  const umask = process.umask(0)
  t.teardown(() => {
    process.umask(umask)
    rmSync(folder, { recursive: true })
  })
  const path = join(folder, "jar")
  const write = (header: string) =>
    writeCookieJar(path, { header, host: "localhost", expires: 1_900_000_000 })
  write("name=value=; Path=/; HttpOnly; Secure; SameSite=Strict")
  t.equal(statSync(path).mode & 0o777, 0o600)
  t.match(
    readFileSync(path, "utf8"),
    /^localhost\tFALSE\t\/\tTRUE\t19\d+\tname\tvalue=$/m,
  )
  writeFileSync(path, "before")
  for (const mode of [0o640, 0o620, 0o604, 0o601]) {
    chmodSync(path, mode)
    t.throws(() => write("name=value"), { name: "UserError" }, mode.toString(8))
    t.equal(readFileSync(path, "utf8"), "before")
  }
  t.end()
})
