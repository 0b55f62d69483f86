import { createServer, request } from "node:http"
import type { AddressInfo } from "node:net"
import { once } from "node:events"
import process from "node:process"
import t from "tap"
import { Builder } from "../../support/builder.ts"
import { differences } from "../../support/pull/copies.ts"
import { Partner } from "../../support/pull/partner.ts"
import { openStage } from "../../support/pull/stage.ts"
import { readTables } from "../../support/pull/tables.ts"

t.setTimeout(20 * 60_000)

const { database, base } = await openStage(t, "sqlite")
const build = new Builder(database)
const organization = await build.organization("acme")
const event = await build.event(organization)
const guests = await build.guests(event, 60)
await build.address(event, guests[0] ?? "", { town: '=1+1, "quoted"\r\nsecond line' })
await build.consent(event, guests[1] ?? "")
await build.item("auctionItems", event)
await build.item("tickets", event, { categories: '["a","b"]' })
await build.account("acme-export", "service")
await build.grant("acme-export", { organization: "acme" })

function partner(
  format: Partner["format"],
  options: Partial<ConstructorParameters<typeof Partner>[1]> = {},
) {
  const made = new Partner(format, { base, ...options })
  t.teardown(() => made.remove())
  return made
}

t.test("pull sends its requests through a proxy that the environment names", async (t) => {
  const targets: string[] = []
  const server = createServer((incoming, response) => {
    targets.push(incoming.url ?? "")
    const { method, headers } = incoming
    const outgoing = request(incoming.url ?? "", { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    incoming.pipe(outgoing)
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  const env = { http_proxy: `http://127.0.0.1:${port}`, no_proxy: "", NO_PROXY: "" }
  const { code, errors, output } = await partner("sqlite", { env }).run(["--json"])
  t.equal(code, 0, errors)
  t.equal(targets.length, JSON.parse(output).requests)
  t.ok(targets.every((target) => target.startsWith(base)))
  const direct = { ...env, no_proxy: "127.0.0.1" }
  t.equal((await partner("sqlite", { env: direct }).run()).code, 0)
  t.equal(targets.length, JSON.parse(output).requests, "not if it is not to be used for this host")
})

t.test("pull ends with 2 on a Node.js without SQLite, and says which it needs", {
  skip: "deno" in process.versions && "needs Node.js",
}, async (t) => {
  const program = [process.execPath, "--no-experimental-sqlite", "plugins/documents/pull/pull.ts"]
  const { code, errors } = await partner("sqlite", { base, program }).run()
  t.equal(code, 2, "repeating this never helps")
  t.match(errors, /needs Node\.js 22\.13 or newer, and this is v/)
})

for (const format of ["sqlite", "ndjson"] as const) {
  t.test(`pull --to ${format} on a full disk ends with 1, keeps the copy, and catches up`, async (t) => {
    const copy = partner(format)
    const { place } = copy
    for (const blocks of [8, 40, 120]) {
      // A limit on the size of files fails writes as a full disk does. The test runner's options would write more.
      const script =
        `unset NODE_OPTIONS; trap '' XFSZ; ulimit -f ${blocks}; exec "$0" plugins/documents/pull/pull.ts "$@"`
      const program = ["bash", "-c", script, process.execPath]
      const { code } = await partner(format, { place, program }).run()
      if (blocks === 8) t.equal(code, 1)
    }
    t.equal((await copy.run()).code, 0)
    t.strictSame(differences({ format, place }, event, await readTables(database, event)), [])
  })
}
