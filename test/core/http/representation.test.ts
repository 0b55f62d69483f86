import { promisify } from "node:util"
import zlib from "node:zlib"
import fc from "fast-check"
import t from "tap"
import { chooseEncoding, type Encoding, represent } from "../../../core/http/representation.ts"
import { onEveryApp } from "../../support/app.ts"

const choices: readonly [accept: string | null, Encoding | undefined][] = [
  [null, undefined],
  ["", undefined],
  ["identity", undefined],
  ["compress, x-mine", undefined],
  ["gzip", "gzip"],
  ["gzip, deflate, br", "br"],
  ["gzip, deflate, br, zstd", "zstd"],
  ["GZIP;q=0.5 , zstd;q=0.8", "zstd"],
  ["*", "gzip"],
  ["br;q=0, *", "gzip"],
  ["zstd;q=0.5, *;q=0.4", "zstd"],
  ["gzip;q=0, *", undefined],
  ["*;q=0", undefined],
  ["gzip;q=0.2, identity;q=0.8", undefined],
  ["gzip, identity", "gzip"],
  ["gzip;q=nonsense", undefined],
]
t.test("chooseEncoding chooses the best that Accept-Encoding prefers, and reads any text", (t) => {
  for (const [accept, encoding] of choices) t.equal(chooseEncoding(accept), encoding, accept ?? "")
  const encodings = ["br", "zstd", "gzip", undefined]
  const part = fc.constantFrom("gzip", "br", "zstd", "*", ";q=", "0", "1.", ",", ";", "=", " ", "é")
  fc.assert(
    fc.property(fc.array(part), (parts) => encodings.includes(chooseEncoding(parts.join("")))),
  )
  t.end()
})

const decompressors: Record<Encoding, (bytes: Uint8Array) => Promise<Uint8Array>> = {
  br: promisify(zlib.brotliDecompress),
  zstd: promisify(zlib.zstdDecompress),
  gzip: promisify(zlib.gunzip),
}

await onEveryApp(t, async (t, { build, logIn }) => {
  const event = await build.event(await build.organization("acme"))
  await build.guests(event, 20)
  await build.account("ann")
  await build.grant("ann", { organization: "acme" })
  const get = await logIn("ann")
  const guests = `/connector-b/v1/events/${event}/guests?since=-1`
  const ask = (accept: string, headers: Record<string, string> = {}) =>
    get(guests, { headers: { "accept-encoding": accept, ...headers } })

  await t.test("GET …/guests is the same in every encoding, each with its own ETag", async (t) => {
    const plain = await ask("identity")
    const text = await plain.text()
    const tags = new Set([plain.headers.get("etag")])
    for (const encoding of Object.keys(decompressors) as Encoding[]) {
      for (const _ of ["compressed", "kept"]) {
        const response = await ask(encoding)
        t.equal(response.headers.get("content-encoding"), encoding)
        t.match(response.headers.get("vary"), /Accept-Encoding/)
        const length = Number(response.headers.get("content-length"))
        t.ok(length > 0 && length < text.length / 3, `${length} bytes`)
        t.equal(await textOf(response, encoding), text)
        tags.add(response.headers.get("etag"))
      }
      const etag = [...tags].at(-1) ?? ""
      t.equal((await ask(encoding, { "if-none-match": etag })).status, 304)
      t.equal((await ask("identity", { "if-none-match": etag })).status, 304, "the same records")
    }
    t.equal(tags.size, 4)
  })
})

/** Over HTTP, fetch has decompressed the body already. */
async function textOf(response: Response, encoding: Encoding): Promise<string> {
  const bytes = new Uint8Array(await response.arrayBuffer())
  const isText = bytes[0] === "[".charCodeAt(0)
  return new TextDecoder().decode(isText ? bytes : await decompressors[encoding](bytes))
}

t.test("represent compresses from 1,400 bytes on, once for all clients, and never returns 304 without a tag", async (t) => {
  for (const [length, encoding] of [[1399, undefined], [1400, "br"]] as const) {
    const content = { bytes: new Uint8Array(length), etag: undefined, compressed: {} }
    const wanted = new Headers({ "accept-encoding": "br", "if-none-match": "*" })
    const first = await represent(content, {}, wanted)
    t.equal(
      first.body,
      (await represent(content, {}, wanted)).body,
      "the same bytes, not equal ones",
    )
    t.match([first.status, "etag" in first.headers], [200, false])
    t.equal(first.headers["content-encoding"], encoding)
  }
})

t.test("represent releases bytes itself once they are compressed, or not sent", async (t) => {
  const ask = async (headers: Record<string, string>) => {
    let released = 0
    const release = () => void released++
    const content = { bytes: new Uint8Array(2000), etag: '"a"', compressed: {}, release }
    const answer = await represent(content, {}, new Headers(headers))
    return { released, isHandedOn: answer.release === release }
  }
  t.strictSame(await ask({}), { released: 0, isHandedOn: true })
  t.strictSame(await ask({ "accept-encoding": "gzip" }), { released: 1, isHandedOn: false })
  t.strictSame(await ask({ "if-none-match": "*" }), { released: 1, isHandedOn: false })
})
