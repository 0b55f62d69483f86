// A minimal server: node:http, one prepared statement (six for items) and JSON.stringify, without
// sessions and checks. DATABASE_URL=mysql://… node test/bench/rivals/floor.ts
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import process from "node:process"
import { readGuests } from "./guests.ts"
import { readItems } from "./items.ts"
import { openPool } from "./pool.ts"

const pool = openPool(process.env["DATABASE_URL"] ?? "")

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost")
  const [, family, , , event = "", list] = pathname.split("/")
  const shape = family === "acme" ? "full" : "lean"
  const page = {
    path: pathname,
    event,
    since: Number(searchParams.get("since") ?? 1606062358),
    offset: Number(searchParams.get("offset") ?? 0),
    limit: Number(searchParams.get("limit") ?? 1000),
    q: searchParams.get("q") ?? "",
    after: searchParams.get("after") ?? "",
  }
  const reading = list === "items" ? readItems(pool, shape, page) : readGuests(pool, shape, page)
  reading.then(({ records, headers }) => {
    response.setHeader("content-type", "application/json; charset=utf-8")
    response.setHeaders(new Map(Object.entries(headers)))
    response.end(JSON.stringify(records))
  }, (error: Error) => {
    console.error(error.message)
    response.writeHead(500).end()
  })
})
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo
  console.log(JSON.stringify({ msg: "serving", url: `http://127.0.0.1:${port}` }))
})
process.once("SIGTERM", () => process.exit())
