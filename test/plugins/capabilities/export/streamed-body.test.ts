import { Buffer } from "node:buffer"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { setTimeout } from "node:timers/promises"
import zlib from "node:zlib"
import t from "tap"
import { StreamedBody } from "../../../../plugins/capabilities/export/streamed-body.ts"

// The timers of a body keep no process alive.
const alive = setInterval(() => {}, 1000)
t.teardown(() => clearInterval(alive))

/** More than what waits to be sent. */
const much = randomBytes(1024 * 1024)

const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH, ZSTD_e_flush } = zlib.constants

/** Decode as much as there is. */
const decoders = {
  gzip: (bytes: Uint8Array) => zlib.gunzipSync(bytes, { finishFlush: Z_SYNC_FLUSH }),
  br: (bytes: Uint8Array) =>
    zlib.brotliDecompressSync(bytes, { finishFlush: BROTLI_OPERATION_FLUSH }),
  zstd: (bytes: Uint8Array) => zlib.zstdDecompressSync(bytes, { finishFlush: ZSTD_e_flush }),
}

for (const encoding of [undefined, "gzip"] as const) {
  await t.test(`StreamedBody.breakOff: ${encoding ?? "plain"}, a body that nobody reads, once its time is over`, async (t) => {
    const body = new StreamedBody(encoding)
    const until = new AbortController()
    body.breakOff(until.signal, 1)
    const written = body.write(much, until.signal)
    until.abort()
    await t.rejects(written.then(() => once(body.readable, "end")), /did not read/)
    await body.closed
    t.notOk(body.isWhole)
  })
}

for (const encoding of [undefined, "gzip", "br", "zstd"] as const) {
  await t.test(`StreamedBody.failBehind: ${encoding ?? "plain"}, all that was written has been read`, async (t) => {
    const body = new StreamedBody(encoding)
    const { signal } = new AbortController()
    const chunks: Uint8Array[] = []
    const reading = (async () => {
      for await (const chunk of body.readable) chunks.push(chunk)
    })()
    await body.write(much, signal)
    body.failBehind(Buffer.from("the mark"), new Error("it is cut"))
    await t.rejects(reading, /it is cut/)
    t.notOk(body.isWhole)
    const received = Buffer.concat(chunks)
    const plain = encoding ? decoders[encoding](received) : received
    t.ok(plain.equals(Buffer.concat([much, Buffer.from("the mark")])), `${plain.length}`)
  })
}

await t.test("StreamedBody.failBehind: what is read slowly is all there", async (t) => {
  const body = new StreamedBody(undefined)
  let text = ""
  const reading = (async () => {
    for await (const chunk of body.readable) {
      text += String(chunk)
      await setTimeout(20)
    }
  })()
  await body.write(Buffer.from("begin, "), new AbortController().signal)
  while (text === "") await setTimeout(1)
  body.failBehind(Buffer.from("the mark"), new Error("it is cut"))
  await t.rejects(reading, /it is cut/)
  t.equal(text, "begin, the mark")
})

await t.test("StreamedBody.breakOff: a body of which nobody reads the end", async (t) => {
  const body = new StreamedBody(undefined)
  const { signal } = new AbortController()
  body.breakOff(signal, 1)
  await body.write(Buffer.from("begin"), signal)
  body.end(Buffer.from("end"))
  await t.rejects(once(body.readable, "end"), /did not read/)
})

await t.test("StreamedBody.breakOff leaves alone a body that was read", async (t) => {
  const body = new StreamedBody("gzip")
  const until = new AbortController()
  body.breakOff(until.signal, 1)
  body.readable.resume()
  await body.write(much, until.signal)
  const read = once(body.readable, "end")
  body.end(Buffer.from("end"))
  await body.closed
  until.abort()
  await read
  t.ok(body.isWhole)
})
