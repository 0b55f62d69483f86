import { execFile } from "node:child_process"
import { once } from "node:events"
import { get as open, type IncomingMessage } from "node:http"
import { text } from "node:stream/consumers"
import { promisify } from "node:util"
import t from "tap"
import { sha256 } from "../../../core/data/sha256.ts"
import { startProcess } from "../support/service-process.ts"
import { password } from "../../support/builder.ts"
import { recordsOfCsv } from "../../support/csv-reader.ts"
import { readExport } from "../../support/export-reader.ts"
import { runtimes, withoutRuntime } from "../../support/runtimes.ts"
import { freshWorkshop } from "../../support/service.ts"

type Headers = Readonly<Record<string, string>>

const run = promisify(execFile)
const most = { maxBuffer: 100_000_000 }

function curl(...options: string[]) {
  return async (url: string, headers: Headers) => {
    const fields = Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`])
    return (await run("curl", ["-sS", "--fail", ...options, ...fields, url], most)).stdout
  }
}

const python = `
import json, sys, urllib.request
request = urllib.request.Request(sys.argv[1], headers=json.loads(sys.argv[2]))
sys.stdout.buffer.write(urllib.request.urlopen(request).read())`

/** How clients download; each rejects if it has noticed that the response is not whole. */
const clients: Readonly<Record<string, (url: string, headers: Headers) => Promise<string>>> = {
  fetch: async (url, headers) => await (await fetch(url, { headers })).text(),
  curl: curl(),
  "curl --compressed": curl("--compressed"),
  "curl --http1.0": curl("--http1.0"),
  python3: async (url, headers) =>
    (await run("python3", ["-c", python, url, JSON.stringify(headers)], most)).stdout,
}

for (const runtime of runtimes) {
  t.test(`an export from ${runtime} is whole, or its client fails`, {
    skip: withoutRuntime(runtime),
  }, async (t) => {
    const workshop = await freshWorkshop(t)
    const { build } = workshop
    const organization = await build.organization("acme")
    await build.account("partner")
    await build.grant("partner", { organization: "acme" })
    const [small, large] = [await build.event(organization), await build.event(organization)]
    await build.guests(small, 3000)
    await build.guests(large, 3001)
    const connector =
      "  - use: connector-b\n    with: { segment: connector-b, organizations: [acme] }"
    workshop.write(connector, "export: { records: 3000 }")
    const { url, entries } = await startProcess(t, runtime, { CONFIG: workshop.file })
    const logIn = await fetch(`${url}/session`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ username: "partner", password }),
    })
    const cookie = logIn.headers.getSetCookie()[0]?.split(";")[0] ?? ""
    const exportOf = (event: string) => `${url}/connector-b/v1/events/${event}/guests/export`

    for (const [name, download] of Object.entries(clients)) {
      const [program = ""] = name.split(" ")
      const isMissing = program !== "fetch" &&
        await run(program, ["--version"]).then(() => false, () => `there is no ${program}`)
      await t.test(`${name} notices`, { skip: isMissing }, async (t) => {
        const as = (event: string, accept: string) => download(exportOf(event), { cookie, accept })
        t.equal(recordsOfCsv(await as(small, "text/csv")).length, 3000)
        await t.rejects(as(large, "text/csv"))
        const { rows, next } = readExport(await as(large, "text/csv; end=line"))
        t.equal(rows.length, 3000)
        const rest = await download(next ?? "", { cookie, accept: "text/csv" })
        t.equal(recordsOfCsv(rest).length, 1)
      })
    }

    await t.test("its trailers say how it ended, to clients that take them", async (t) => {
      const receive = async (event: string, te: string, query = "") => {
        const headers = { cookie, accept: "text/csv", te }
        const request = open(exportOf(event) + query, { headers })
        const [response] = await once(request, "response") as [IncomingMessage]
        return { content: await text(response), response }
      }
      const { content, response } = await receive(small, "trailers")
      t.equal(response.headers["trailer"], "Export-Count, Export-SHA256, Export-Next")
      const trailers = { "export-count": "3000", "export-sha256": sha256(content) }
      t.strictSame({ ...response.trailers }, trailers)
      const { response: part } = await receive(large, "deflate;q=0.5, Trailers", "?limit=3000")
      const rest = await clients["fetch"]?.(String(part.trailers["export-next"]), { cookie })
      t.equal(readExport(rest ?? "").rows.length, 1)
      await t.rejects(receive(large, "trailers"), "nobody may overlook that there is more")
      const { response: plain } = await receive(small, "deflate")
      t.equal(plain.headers["trailer"], undefined)
      t.strictSame({ ...plain.trailers }, {})
      const old = await curl("--http1.0", "-i")(exportOf(small), { cookie, te: "trailers" })
      t.notMatch(old, /^trailer:/mi, "HTTP/1.0 has no place for them")
      t.match(old, /"end":\{"count":3000/)
    })

    const cut = entries.filter(({ ending }) => ending === "cut")
    t.ok(cut.length > 0)
    t.ok(cut.every(({ code, status }) => code === "unavailable" && status === 200))
    t.notOk(entries.some(({ level }) => level === "error"))
  })
}
