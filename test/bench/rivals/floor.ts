// A minimal server: node:http, one prepared statement (six for items) and JSON.stringify, without
// sessions and checks. DATABASE_URL=mysql://… node test/bench/rivals/floor.ts
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import process from "node:process"
import {
  type GuestPage,
  type GuestRow,
  guestStatement,
  guestValues,
  linkToNext,
  type Shape,
  toGuest,
} from "./guests.ts"
import { type ItemKey, itemStatement, itemTables } from "./items.ts"
import { openPool } from "./pool.ts"

const pool = openPool(process.env["DATABASE_URL"] ?? "")

/** The records of a response, and headers of its own. */
interface Answer {
  readonly records: unknown
  readonly headers?: Record<string, string>
}

async function guests(shape: Shape, path: string, page: GuestPage): Promise<Answer> {
  const sql = guestStatement(shape, page)
  const [rows] = await pool.execute({ sql, rowsAsArray: true }, guestValues(shape, page))
  const headers = linkToNext(path, { rows: rows as GuestRow[], page })
  return { records: (rows as GuestRow[]).map((row) => toGuest(row, shape)), headers }
}

async function items(shape: Shape, { event, since, offset, limit }: GuestPage): Promise<Answer> {
  const values = [event, since, String(limit), String(offset)]
  const arrays = (Object.keys(itemTables) as ItemKey[]).map(async (key) => {
    const [rows] = await pool.execute(itemStatement(key, shape), values)
    return [key, rows]
  })
  return { records: Object.fromEntries(await Promise.all(arrays)) }
}

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost")
  const [, family, , , event = "", list] = pathname.split("/")
  const shape = family === "acme" ? "full" : "lean"
  const page = {
    event,
    since: Number(searchParams.get("since") ?? 1606062358),
    offset: Number(searchParams.get("offset") ?? 0),
    limit: Number(searchParams.get("limit") ?? 1000),
    q: searchParams.get("q") ?? "",
    keysFirst: searchParams.has("keysFirst"),
    after: searchParams.get("after") ?? "",
  }
  const reading = list === "items" ? items(shape, page) : guests(shape, pathname, page)
  reading.then(({ records, headers }) => {
    response.setHeader("content-type", "application/json; charset=utf-8")
    if (headers) response.setHeaders(new Map(Object.entries(headers)))
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
