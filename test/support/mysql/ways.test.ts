import { once } from "node:events"
import { type AddressInfo, createServer } from "node:net"
import process from "node:process"
import t from "tap"
import { withoutMysql } from "../database.ts"
import { containerMysql } from "./container.ts"
import { givenMysql } from "./given.ts"

const never = new AbortController().signal

t.test("containerMysql rejects after 2 s if the engine accepts but never responds", async (t) => {
  const server = createServer((connection) => t.teardown(() => connection.destroy()))
  await once(server.listen(0, "127.0.0.1"), "listening")
  t.teardown(() => server.close())
  setEnv(t, "DOCKER_HOST", `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`)
  await t.rejects(containerMysql(never), { message: "no response within 2 s" })
})

t.test("containerMysql rejects with a cause", async (t) => {
  setEnv(t, "DOCKER_HOST", "unix:///no/such/folder/none.sock")
  await t.rejects(containerMysql(never), { message: /ENOENT/ })
  setEnv(t, "DOCKER_HOST", "ssh://builder")
  await t.rejects(containerMysql(never), { message: /neither unix:\/\/ nor plain tcp:\/\// })
})

t.test(
  "givenMysql uses TEST_DATABASE_URL without its database",
  { skip: withoutMysql },
  async (t) => {
    const server = new URL(process.env["TEST_MYSQL_URL"] ?? "")
    setEnv(t, "TEST_DATABASE_URL", new URL("/some_database", server).href)
    const { url, how } = await givenMysql(never)
    t.equal(new URL(url).pathname.replace("/", ""), "")
    t.equal(new URL(url).host, server.host)
    t.notMatch(how, server.password, "the description has no password")
  },
)

t.test(
  "givenMysql rejects a TEST_DATABASE_URL that can't be used",
  { skip: withoutMysql },
  async (t) => {
    setEnv(t, "TEST_DATABASE_URL", "")
    await t.rejects(givenMysql(never), { message: "not set" })
    setEnv(t, "TEST_DATABASE_URL", "postgres://root@127.0.0.1")
    await t.rejects(givenMysql(never), { message: "not a mysql:// URL" })
    const wrong = new URL(process.env["TEST_MYSQL_URL"] ?? "")
    wrong.password = "wrong"
    setEnv(t, "TEST_DATABASE_URL", wrong.href)
    await t.rejects(givenMysql(never), { code: "ER_ACCESS_DENIED_ERROR" })
  },
)

function setEnv(t: { teardown(undo: () => void): unknown }, name: string, value: string): void {
  const before = process.env[name]
  process.env[name] = value
  t.teardown(() => {
    if (before === undefined) delete process.env[name]
    else process.env[name] = before
  })
}
