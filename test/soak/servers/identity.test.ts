import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { promisify } from "node:util"
import mysql from "mysql2/promise"
import t from "tap"
import { openDatabase } from "../../../core/data/open.ts"
import { secret } from "../../support/app.ts"
import { createAuthority } from "../../support/certificates.ts"
import { withoutMysql } from "../../support/database.ts"
import { ownMysql, startOwnMysql } from "../../support/mysql/own-server.ts"
import { commandOf, withoutDeno } from "../../support/runtimes.ts"

const program = withoutMysql || await ownMysql()
const skip = typeof program === "string" ? program : false

/** A host in the URL, the names in the server's certificate, and whether they match. */
const cases: readonly [host: string, names: readonly string[], matches: boolean][] = [
  ["127.0.0.1", ["127.0.0.1"], true],
  ["127.0.0.1", ["localhost"], false],
  ["127.0.0.1", ["127.0.0.2", "localhost"], false],
  ["127.0.0.1", ["db.example", "127.0.0.1"], true],
  ["localhost", ["localhost"], true],
  ["localhost", ["127.0.0.1"], false],
  ["localhost", ["db.example"], false],
]

t.test(
  "ssl=verify compares the host of the URL with the server's certificate",
  { skip },
  async (t) => {
    if (typeof program === "string") return
    const url = await startOwnMysql(t, program)
    const folder = mkdtempSync(join(tmpdir(), "event-export-"))
    t.teardown(() => rmSync(folder, { recursive: true }))
    const write = (name: string, text: string) => {
      writeFileSync(join(folder, name), text)
      return join(folder, name)
    }
    const authority = createAuthority("The authority of the tests")
    const ca = write("ca.pem", authority.certificate)
    const stranger = createAuthority("Another authority")

    const owner = await mysql.createConnection(url)
    t.teardown(() => owner.end())
    await owner.query("create database identity")
    const present = async (names: readonly string[], issuer = authority) => {
      const { certificate, key } = issuer.issue(...names)
      const files = {
        ssl_ca: write("issuer.pem", issuer.certificate),
        ssl_cert: write("cert.pem", certificate),
        ssl_key: write("key.pem", key),
      }
      for (const [name, file] of Object.entries(files)) {
        await owner.query(`set global ${name} = ?`, [file])
      }
      await owner.query("alter instance reload tls")
    }
    const urlFor = (host: string) => {
      const verifying = new URL(url)
      verifying.hostname = host
      verifying.pathname = "/identity"
      verifying.search = `?ssl=verify&ca=${ca}`
      return verifying.href
    }
    const open = async (host: string) => {
      const database = await openDatabase(urlFor(host), { connections: 1, timeLimit: 5 })
      try {
        await database.ping()
      } finally {
        await database.close()
      }
    }

    for (const [host, names, matches] of cases) {
      const outcome = matches ? "accepts" : "refuses"
      await t.test(`ssl=verify ${outcome} a certificate for ${names.join(" and ")} from ${host}`, async (t) => {
        await present(names)
        if (matches) await t.resolves(open(host))
        else await t.rejects(open(host), { message: /does not match certificate's altnames/ })
      })
    }

    await t.test("ssl=verify does the same under Deno", { skip: withoutDeno }, async (t) => {
      const [command, ...args] = commandOf("deno")
      const migrate = async (host: string): Promise<{ stdout: string; stderr: string }> =>
        await promisify(execFile)(command, [...args, "core/main.js", "migrate"], {
          env: { ...process.env, DATABASE_URL: urlFor(host), SESSION_SECRET: secret },
        }).catch((error) => error)
      await present(["127.0.0.1"])
      t.match(await migrate("127.0.0.1"), { stdout: /^Applied /, stderr: "" })
      for (const names of [["localhost"], ["db.example"]]) {
        await present(names)
        t.match(await migrate("127.0.0.1"), { stdout: "", stderr: /certificate/i }, names.join())
      }
      await present(["127.0.0.1"], stranger)
      t.match(await migrate("127.0.0.1"), { stdout: "", stderr: /certificate|issuer/i })
    })
  },
)
