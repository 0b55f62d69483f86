import { Buffer } from "node:buffer"
import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { DatabaseSync } from "node:sqlite"
import { setTimeout } from "node:timers/promises"
import t from "tap"
import { csv } from "../../../../core/records/bytes/csv.ts"
import { readCsv } from "../../../support/csv-reader.ts"
import {
  feed,
  page,
  refusal,
  type Sent,
  strangeEvent,
  StrangeService,
} from "../../../support/pull/strange-service.ts"

const other = "0b5f0dc1-6a6e-4a0c-9f0a-0c2f5c1b7d11"
const isFeed = ({ url }: Sent) => url.pathname.endsWith("/changes")
const isEvents = ({ url }: Sent) => url.pathname.endsWith("/events")

t.test("pull --cookies sends the session of exactly this service, if it counts and may be sent", async (t) => {
  const service = new StrangeService(t)
  const jar = join(service.folder, "cookies.txt")
  const [session, host] = ["event_export_session", "export.example.org"]
  const lines = [
    ["bank.example", "TRUE", "/", "FALSE", "0", session, "other-host"],
    ["example.org", "TRUE", "/", "FALSE", "0", session, "parent"],
    ["port.example.org", "FALSE", "/", "FALSE", "0", session, "sibling"],
    ["ort.example.org", "TRUE", "/", "FALSE", "0", session, "suffix"],
    [host, "FALSE", "/other", "FALSE", "0", session, "other-path"],
    [host, "FALSE", "/", "FALSE", "1700000000", session, "expired"],
    [host, "FALSE", "/", "FALSE", "soon", session, "no-time"],
    [host, "FALSE", "/", "FALSE", "0", "theirs", "other-program"],
    [host, "FALSE", "/", "FALSE", "0", session, "a"],
    [host, "FALSE", "/", "TRUE", "4000000000", `__Host-${session}`, "b"],
    ["127.0.0.1", "FALSE", "/", "FALSE", "", session, "python"],
    ["127.0.0.1", "FALSE", "/", "TRUE", "0", `__Host-${session}`, "https-only"],
    [host, "FALSE", "/", "FALSE", "0", session],
  ].map((fields) => fields.join("\t"))
  writeFileSync(jar, `# Netscape\n#HttpOnly_${lines.join("\n")}\n`, { mode: 0o600 })
  const send = async (base: string) => {
    service.sent.length = 0
    const to = `sqlite:${service.folder}/${base.length}.db`
    const code = await service.run(["--cookies", jar], { base, to })
    return { code, cookies: [...new Set(service.sent.map(({ headers }) => headers.get("cookie")))] }
  }
  const cookies = [`${session}=a; __Host-${session}=b`]
  t.strictSame(await send("https://export.example.org"), { code: 0, cookies })
  t.strictSame(await send("https://elsewhere.example"), { code: 2, cookies: [] })
  t.match(service.errors, /has no session of this service for https:\/\/elsewhere\.example/)
  const ofPython = [`${session}=python`]
  t.strictSame(await send("http://127.0.0.1:8080"), { code: 0, cookies: ofPython })
  chmodSync(jar, 0o644)
  t.strictSame(await send("https://export.example.org"), { code: 2, cookies: [] })
  t.match(service.errors, /others may read .*: "chmod 600" it/)
})

t.test("pull sends credentials over plain http to this computer only, or with --insecure", async (t) => {
  const service = new StrangeService(t)
  const base = "http://export.example.org"
  t.equal(await service.run([], { base }), 2)
  t.match(service.errors, /not encrypted, and credentials were not sent: take https, or --insecure/)
  t.equal(await service.run([], { base: "http://127.0.0.1.example.org" }), 2)
  t.strictSame(service.sent, [])
  t.equal(await service.run(["--insecure"], { base }), 0)
  for (const name of ["127.0.0.1:8080", "localhost:8080", "[::1]:8080"]) {
    const to = `sqlite:${service.folder}/${Buffer.from(name).toString("hex")}.db`
    t.equal(await service.run([], { base: `http://${name}`, to }), 0, name)
  }
})

/** Lets the command go on, and returns how many requests it sends once it has to wait. */
async function requestsWhileWaiting(
  service: StrangeService,
  every: string,
  isWaiting: () => boolean,
) {
  const running = service.run(["--every", every])
  while (!isWaiting()) await setTimeout(5)
  await setTimeout(50)
  const before = service.sent.length
  await setTimeout(300)
  const sent = service.sent.length - before
  process.emit("SIGTERM")
  return { sent, code: await running }
}

t.test("pull --every waits, however long that is", async (t) => {
  const warnings: string[] = []
  const onWarning = ({ name }: Error) => warnings.push(name)
  process.on("warning", onWarning)
  t.teardown(() => process.off("warning", onWarning))
  const service = new StrangeService(t)
  const centuries = new Date(Date.now() + 1e13).toUTCString()
  for (const after of ["9999999", "9".repeat(400), centuries]) {
    const headers = { "retry-after": after, date: new Date().toUTCString() }
    service.errors = ""
    service.answer = (sent) => isEvents(sent) ? refusal(503, "unavailable", headers) : undefined
    const waits = () => service.errors.includes("503")
    t.strictSame(await requestsWhileWaiting(service, "1", waits), { sent: 0, code: 0 }, after)
  }
  service.answer = () => undefined
  const waits = () => service.sent.some(({ url }) => url.pathname.endsWith("/items/digest"))
  t.strictSame(await requestsWhileWaiting(service, "2592000", waits), { sent: 0, code: 0 })
  t.strictSame(warnings, [])
})

t.test("pull waits as Retry-After says, in seconds or by the service's clock, if its patience is long enough", async (t) => {
  const service = new StrangeService(t)
  const at = (seconds: number) => new Date(1_700_000_000_000 + seconds * 1000).toUTCString()
  const run = async (after: string) => {
    let refusals = 1
    const headers = { date: at(0), "retry-after": after }
    service.answer = (sent) =>
      isEvents(sent) && refusals-- > 0 ? refusal(429, "too_fast", headers) : undefined
    return await service.run(["--patience", "1"])
  }
  t.equal(await run("1"), 0)
  t.equal(await run(at(1)), 0)
  t.equal(await run("2"), 1)
  t.equal(await run(at(2)), 1)
})

t.test("pull keeps its session over runs that fail, and nothing else of them", async (t) => {
  const service = new StrangeService(t)
  service.answer = (sent) => {
    if (sent.method === "POST") return undefined
    return sent.headers.has("cookie")
      ? refusal(503, "unavailable")
      : refusal(401, "unauthenticated")
  }
  for (const _ of [1, 2, 3]) t.equal(await service.run(), 1)
  t.equal(service.logIns, 1)
  service.answer = () => undefined
  t.equal(await service.run(), 0)
  t.equal(service.logIns, 1)
})

t.test("pull logs in once if its new session is refused", async (t) => {
  const service = new StrangeService(t)
  service.answer = ({ method }) => {
    if (method === "POST") return undefined
    return service.logIns > 3 ? refusal(403, "forbidden") : refusal(401, "unauthenticated")
  }
  t.equal(await service.run(), 1)
  t.equal(service.logIns, 1)
})

/** A page that goes on at some URL. */
const goingOn = (records: unknown, url: string) => page(records, { link: `<${url}>; rel="next"` })

t.test("pull ends with 5 and a sentence if a service sends what has no end", async (t) => {
  const records = (count: number) =>
    Array.from({ length: count }, () => ({ id: other, updated: 1 }))
  const many = records(100_001)
  let number = 0
  const json = { "content-type": "application/json" }
  const mebibytes = (status: number) => {
    const pull = (stream: ReadableStreamDefaultController) => {
      number++
      stream.enqueue(new Uint8Array(1024 * 1024).fill(32))
    }
    return new Response(new ReadableStream({ pull }), { status, headers: json })
  }
  const values = `{"changes":[${"[],".repeat(2_500_000)}[]]}`
  const services: Record<string, [RegExp, StrangeService["answer"]]> = {
    "a body": [/more than 67108864 bytes/, (sent) => isFeed(sent) ? mebibytes(200) : undefined],
    "a problem": [/more than 67108864 bytes/, (sent) => isFeed(sent) ? mebibytes(500) : undefined],
    "a body of many values": [
      /more than 5000000 values/,
      (sent) => isFeed(sent) ? new Response(values, { headers: json }) : undefined,
    ],
    "a list of events": [
      /more than 200000 records/,
      (sent) => isEvents(sent) ? goingOn(many, `/acme/v1/events?cursor=${number++}`) : undefined,
    ],
    "empty pages of events": [
      /more than 5000 pages/,
      (sent) => isEvents(sent) ? goingOn([], `/acme/v1/events?cursor=${number++}`) : undefined,
    ],
    "pages of a feed": [
      /more than 5000 pages/,
      (sent) => isFeed(sent) ? feed({ guests: records(1) }, String(number++)) : undefined,
    ],
    "a page that follows itself": [
      /a feed that leads back to a page/,
      (sent) => isFeed(sent) ? feed({ guests: records(1) }, "same") : undefined,
    ],
    "empty pages that lead back": [
      /a feed that leads back to a page/,
      (sent) => isFeed(sent) ? feed({}, String(number++ % 3)) : undefined,
    ],
  }
  const service = new StrangeService(t)
  service.events = [{ id: strangeEvent, updated: 1 }, { id: other, updated: 1 }]
  for (const [name, [sentence, answer]] of Object.entries(services)) {
    number = service.sent.length = 0
    service.errors = ""
    service.answer = (sent) =>
      isFeed(sent) && sent.url.pathname.includes(other) ? undefined : answer(sent)
    t.equal((await service.sync()).code, 5, name)
    t.match(service.errors, sentence)
    t.match(service.errors, /tell the operator of the service/)
    if (name.includes("back")) t.ok(number < 10, `${number} pages were read`)
    if (name === "a body") t.ok(number < 80, `${number} MB were read`)
    const others = service.sent.some(({ url }) => url.pathname.endsWith(`${other}/changes`))
    t.equal(others, !name.includes("events"), "the other events are read")
  }
})

t.test("pull goes through a feed in which hundreds of pages are empty", async (t) => {
  const service = new StrangeService(t)
  let number = 0
  service.answer = (sent) => {
    if (!isFeed(sent)) return undefined
    const found = number++ < 300 ? {} : { guests: [{ id: other, updated: 1 }] }
    return feed(found, number > 300 ? undefined : String(number))
  }
  t.strictSame(await service.sync(), { code: 0, ids: [other] })
})

t.test("pull ends with 5 if a service sends records that no copy can have, and copies the others", async (t) => {
  const good = { id: other, updated: 1 }
  const wrong = /a record without a valid id and time in a list of guests; tell the operator/
  const ofGuest = (record: unknown) => [feed({ guests: [record] }), wrong] as const
  const ofCategory = (category: string) => {
    const changes = [{ list: "items", category, id: other, record: good }]
    const response = Response.json({ changes, next: "end", more: false })
    return [response, /an unknown category; tell the operator/] as const
  }
  const deep = `{"id":"${other}","updated":1,"x":${"[".repeat(2000)}${"]".repeat(2000)}}`
  const change = `{"list":"guests","category":"guests","id":"${other}","record":${deep}}`
  const type = { "content-type": "application/json" }
  const cases: Record<string, readonly [Response, RegExp]> = {
    "no id": ofGuest({ updated: 1 }),
    "an id that is null": ofGuest({ id: null, updated: 1 }),
    "an id that is a list": ofGuest({ id: [other], updated: 1 }),
    "an id that is a path": ofGuest({ id: "../../x", updated: 1 }),
    "a long id": ofGuest({ id: "x".repeat(101), updated: 1 }),
    "no time": ofGuest({ id: other }),
    "the time of a deletion": ofGuest({ id: other, deleted: 1 }),
    "a time that is null": ofGuest({ id: other, updated: null, deleted: 1 }),
    "a record that is null": ofGuest(null),
    "too many levels": [
      new Response(`{"changes":[${change}],"next":"end","more":false}`, { headers: type }),
      /a record of more than 100 levels; tell the operator/,
    ],
    ...Object.fromEntries(
      ["pull_state", "PULL_FILES", "sqlite_schema", "guests", "events", "a b", ""]
        .map((name) => [`a category “${name}”`, ofCategory(name)]),
    ),
  }
  const service = new StrangeService(t)
  service.events = [{ id: strangeEvent, updated: 1 }, { id: other, updated: 1 }]
  for (const [name, [response, sentence]] of Object.entries(cases)) {
    service.errors = ""
    service.answer = (sent) => {
      if (!isFeed(sent)) return undefined
      return sent.url.pathname.includes(other) ? feed({ tickets: [good] }) : response
    }
    t.strictSame(await service.sync(), { code: 5, ids: [other] }, name)
    t.match(service.errors, sentence)
  }
  const many = Array.from({ length: 200 }, (_, at) => [`c${at}`, [good]] as const)
  const together: readonly (readonly [Response, RegExp])[] = [
    [feed({ tickets: [good], Tickets: [good] }), /names differ only in case; tell the operator/],
    [feed(Object.fromEntries(many)), /more than 100 categories/],
  ]
  for (const [at, [response, sentence]] of together.entries()) {
    service.answer = (sent) => isFeed(sent) ? response.clone() : undefined
    t.equal(await service.run([], { to: `sqlite:${service.folder}/${at}.db` }), 5)
    t.match(service.errors, sentence)
  }
})

t.test("pull refuses events with the names of what all objects have, and changes nothing of these", async (t) => {
  const known = Object.getOwnPropertyNames(Object.prototype)
  for (const id of ["__proto__", "constructor", "toString"]) {
    const service = new StrangeService(t)
    service.events = [{ id, updated: 1, changed: 7 }]
    t.match(await service.sync(), { code: 5, ids: [] }, id)
    t.match(service.errors, /a record without a valid id and time in a list of events/)
  }
  t.strictSame(Object.getOwnPropertyNames(Object.prototype), known)
  t.notOk("changed" in Object, "nor of the function that makes them")
})

t.test("pull reads no buckets that no digest has", async (t) => {
  const service = new StrangeService(t)
  const buckets = Object.fromEntries(["0", "zz"].map((name) => [name, { digest: "x" }]))
  service.answer = ({ url }) => url.pathname.endsWith("/digest") ? page({ buckets }) : undefined
  t.equal(await service.run(), 1)
  t.match(service.errors, /a response that is not a digest/)
  t.notOk(service.sent.some(({ url }) => /hash=./.test(url.search)))
})

t.test("pull copies records with more fields than a table has columns", async (t) => {
  const service = new StrangeService(t)
  const fields = Object.fromEntries(Array.from({ length: 2500 }, (_, at) => [`f${at}`, at]))
  service.answer = (sent) =>
    isFeed(sent) ? feed({ guests: [{ id: other, updated: 1, ...fields }] }) : undefined
  t.equal(await service.run(), 0, service.errors)
  const copy = new DatabaseSync(`${service.folder}/copy.db`, { readOnly: true })
  t.strictSame({ ...copy.prepare("select f0, record ->> 'f2499' as last from guests").get() }, {
    f0: 0,
    last: 2499,
  })
  copy.close()
})

t.test("pull sends nothing to a host that the path of a link names", async (t) => {
  const service = new StrangeService(t)
  service.answer = (sent) =>
    isEvents(sent) ? goingOn([], "https://export.example.org//elsewhere.example/x") : undefined
  await service.run()
  const hosts = service.sent.map(({ url }) => url.host)
  t.strictSame([...new Set(hosts)], ["export.example.org"])
})

t.test("pull --to ndjson no longer marks an event as gone once it is back", async (t) => {
  const service = new StrangeService(t)
  const to = `ndjson:${service.folder}/copy`
  const event = { id: strangeEvent, updated: 1 }
  const copied = () => JSON.parse(readFileSync(`${service.folder}/copy/events.ndjson`, "utf8"))
  let events = [event]
  service.answer = (sent) => isEvents(sent) ? page(events) : undefined
  t.equal(await service.run([], { to }), 0)
  events = []
  t.equal(await service.run([], { to }), 4)
  t.strictSame(copied(), { ...event, gone: true })
  events = [event]
  t.equal(await service.run([], { to }), 0)
  t.strictSame(copied(), event)
})

t.test("pull shows the control characters of a refusal, and little of a long one", async (t) => {
  const service = new StrangeService(t)
  const detail = `\x1b]0;owned\x07\x9b2J\u202e\nFAKE LINE ${"x".repeat(100_000)}`
  service.answer = (sent) => {
    const body = JSON.stringify({ code: "forbidden", detail, requestId: "1" })
    const headers = { "content-type": "application/problem+json" }
    return isEvents(sent) ? new Response(body, { status: 403, headers }) : undefined
  }
  t.equal(await service.run(), 2)
  t.match(
    service.errors,
    /^pull: 403 forbidden: \\u001b\]0;owned\\u0007\\u009b2J\\u202e\\u000aFAKE LINE x+\n$/,
  )
  t.ok(service.errors.length < 2000)
})

t.test("pull takes a copy away from others who could read it", async (t) => {
  const service = new StrangeService(t)
  const copies = { sqlite: ["copy.sqlite"], csv: ["copy.csv/pull.db", "copy.csv/events.csv"] }
  for (const [format, names] of Object.entries(copies)) {
    const to = `${format}:${service.folder}/copy.${format}`
    const files = names.map((name) => join(service.folder, name))
    t.equal(await service.run([], { to }), 0)
    for (const file of files) chmodSync(file, 0o644)
    t.equal(await service.run([], { to }), 0)
    for (const file of files) t.equal(statSync(file).mode & 0o777, 0o600, file)
  }
})

t.test("pull --to csv --spreadsheet keeps spreadsheets from changing what the service's own CSV does, names of columns included", async (t) => {
  const service = new StrangeService(t)
  const values = [
    ..."=+-@＝＋－＠\t\r\n".split("").map((first) => `${first}1+1`),
    ...[" =1", "\u00a0=1", "\ufeff=1", "\v=1", "\u3000=1", "'=1", "''=1", " '=1", "'\t1", "'x"],
    ...["x;=1+1", "x\t=1", ";=1", "x;\u00a0@1", "a;b", "x", "1", ""],
    ...["007", "1E5", "MAR1", "1-2", "true", "#N/A", " 1 août", "12 Sea Road", "A1", other, false],
    "a\0b",
  ]
  const record = {
    id: other,
    updated: -1,
    "=cmd|x!A1": 1,
    "; @x": true,
    inner: { "+a": "-b" },
    ...Object.fromEntries(values.map((value, at) => [`v${at}`, value])),
    list: ["=1", "x"],
  }
  service.answer = (sent) => isFeed(sent) ? feed({ guests: [record] }) : undefined
  const to = `csv:${service.folder}/copy`
  t.equal(await service.run(["--spreadsheet"], { to }), 0, service.errors)
  const file = `${service.folder}/copy/${strangeEvent}/guests.csv`
  const [header = [], ...rows] = readCsv(readFileSync(file, "utf8"))
  const { inner, list, ...plain } = record
  const flat = { ...plain, "inner.+a": inner["+a"], list: list.join(", ") }
  const safe = (value: string | number | boolean) =>
    readCsv(csv([[value]], { isText: true }))[0]?.[0]
  t.equal(rows.length, 1)
  t.strictSame(new Set(header), new Set(Object.keys(flat).map(safe)))
  for (const [name, value] of Object.entries(flat)) {
    t.equal(rows[0]?.[header.indexOf(String(safe(name)))], safe(value), JSON.stringify(value))
  }
})
