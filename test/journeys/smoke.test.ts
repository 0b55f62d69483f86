import { once } from "node:events"
import { connect } from "node:net"
import { resolve } from "node:path"
import { text } from "node:stream/consumers"
import { spawn } from "node:child_process"
import process from "node:process"
import t, { type Test } from "tap"
import { secret } from "../support/app.ts"
import { startProcess } from "../soak/support/service-process.ts"
import { Builder, password } from "../support/builder.ts"
import { openFor } from "../support/database.ts"
import { copySqlite } from "../support/sqlite-template.ts"
import {
  commandOf,
  type Runtime,
  runtimes,
  withoutDeno,
  withoutRuntime,
} from "../support/runtimes.ts"

t.test("the process returns the same bytes on Node and on Deno", {
  skip: withoutDeno,
}, async (t) => {
  const databaseUrl = await urlOnDisk(t)
  const database = await openFor(t, databaseUrl)
  const build = new Builder(database)
  const event = await build.event(await build.organization("acme"))
  const guests = await build.guests(event, 3)
  await build.address(event, guests[0] ?? "", { recipient_name: "Ζωή 🎉" })
  await build.consent(event, guests[1] ?? "")
  for (
    const category of [
      "buyNows",
      "auctionItems",
      "pledges",
      "prizeDraws",
      "gliRaffles",
      "tickets",
    ] as const
  ) {
    await build.item(category, event)
  }
  await build.account("acme-export", "service")
  await build.grant("acme-export", { organization: "acme" })

  const environment = { DATABASE_URL: databaseUrl, SESSION_SECRET: secret, PORT: "0" }
  const services = await Promise.all(
    runtimes.map((runtime) => startProcess(t, runtime, environment)),
  )
  const body = JSON.stringify({ username: "acme-export", password })
  const headers = { "content-type": "application/json" }
  const logIn = await fetch(`${services[0]?.url}/session`, { method: "POST", headers, body })
  const cookie = logIn.headers.getSetCookie()[0]?.split(";")[0] ?? ""

  const base = `/acme/v1/events/${event}`
  const paths = [
    "/session",
    "/acme/v1/events",
    `${base}/guests?since=-1`,
    `${base}/guests?since=-1&limit=1&offset=1`,
    `${base}/guests?q=ada&limit=1001`,
    `${base}/items?since=-1`,
    `${base}/nothing`,
    "/nothing",
    "/connector-a/v1/events",
    `/connector-a/v1/events/${event}/items`,
  ]
  for (const path of paths) {
    for (const method of ["GET", "HEAD", "DELETE"]) {
      if (path === "/session" && method === "DELETE") continue
      await t.test(`${method} ${path.replace(event, "EVENT")} returns the same on both runtimes`, async (t) => {
        const responses = await Promise.all(services.map(async ({ url }) => {
          const response = await fetch(url + path, {
            method,
            // Compressed bytes differ between the runtimes.
            headers: { cookie, "x-request-id": "same", "accept-encoding": "identity" },
          })
          const names = [
            "content-type",
            "content-length",
            "cache-control",
            "vary",
            "allow",
            "x-request-id",
          ]
          return {
            status: response.status,
            headers: names.map((name) => response.headers.get(name)),
            body: await response.text(),
          }
        }))
        t.strictSame(responses[1], responses[0])
      })
    }
  }
})

for (const runtime of runtimes) {
  t.test(`the process on ${runtime} rejects malformed requests, and continues`, {
    skip: withoutRuntime(runtime),
  }, async (t) => {
    const { url, child } = await boot(t, runtime)
    const { hostname, port } = new URL(url)
    const send = async (request: string) => {
      const socket = connect(Number(port), hostname)
      socket.end(request)
      return await text(socket)
    }
    const host = "Host: x\r\nConnection: close\r\n\r\n"
    const requests: [name: string, request: string, status: RegExp, code: RegExp][] = [
      ["garbage", "nonsense\r\n\r\n", /^HTTP\/1.1 400 /, /malformed_request/],
      [
        "a whole URL of another service",
        `GET http://elsewhere.example/ HTTP/1.1\r\n${host}`,
        /^HTTP\/1.1 421 /,
        /misdirected_request/,
      ],
      ["a star", `OPTIONS * HTTP/1.1\r\n${host}`, /^HTTP\/1.1 400 /, /malformed_request/],
      ["TRACE", `TRACE / HTTP/1.1\r\n${host}`, /^HTTP\/1.1 405 /, /method_not_allowed/],
      [
        "20 kB of headers",
        `GET / HTTP/1.1\r\nX: ${"x".repeat(20_000)}\r\n${host}`,
        /^HTTP\/1.1 431 /,
        /headers_too_large/,
      ],
    ]
    for (const [name, request, status, code] of requests) {
      const response = await send(request)
      t.match(response, status, name)
      t.match(response, /^content-type: application\/problem\+json/im, name)
      t.match(response, code, name)
    }
    t.equal((await fetch(`${url}/session`)).status, 401)
    child.kill("SIGTERM")
    const [code] = await once(child, "exit")
    t.equal(code, 0, "the process ends on SIGTERM")
  })

  t.test(`the process on ${runtime} refuses to serve demonstration accounts beyond loopback`, {
    skip: withoutRuntime(runtime),
  }, async (t) => {
    const databaseUrl = await urlOnDisk(t)
    const database = await openFor(t, databaseUrl)
    await new Builder(database).account("partner")
    await database.writer.updateTable("account").set({ demonstration: 1 }).execute()
    const environment = {
      DATABASE_URL: databaseUrl,
      SESSION_SECRET: secret,
      PORT: "0",
      HOST: "0.0.0.0",
    }
    await t.rejects(startProcess(t, runtime, environment), { message: /demonstration accounts/ })
  })

  t.test(`the process on ${runtime} prints the errors of its configuration, and exits with 2`, {
    skip: withoutRuntime(runtime),
  }, async (t) => {
    const [command, ...args] = commandOf(runtime, ["-A"])
    const env = { ...process.env, PORT: "many", SESSION_SECRET: "" }
    const child = spawn(command, [...args, "core/main.js", "check"], { env })
    const [errors, [code]] = await Promise.all([text(child.stderr), once(child, "exit")])
    t.equal(code, 2)
    t.match(errors, /config\/event-export.yaml:\d+:\d+: .*SESSION_SECRET is not set/)
    t.notMatch(errors, /at .*\.ts:\d+/, "there is no stack")
  })
}

async function boot(t: Parameters<typeof startProcess>[0], runtime: Runtime) {
  const databaseUrl = await urlOnDisk(t)
  return await startProcess(t, runtime, {
    DATABASE_URL: databaseUrl,
    SESSION_SECRET: secret,
    PORT: "0",
  })
}

/** Creates a migrated database. Deno may not write to a folder in memory. */
async function urlOnDisk(t: Test): Promise<string> {
  const url = `sqlite:${resolve(t.testdir(), "test.db")}`
  await copySqlite(url)
  return url
}
