import { Buffer } from "node:buffer"
import { randomBytes } from "node:crypto"
import zlib from "node:zlib"
import fc from "fast-check"
import t from "tap"
import { Splicer } from "../../../core/records/splicer.ts"

const much = 64 * 1024 * 1024

/** Joins segments. Returns the body and its borders. */
function bodyOf(segments: readonly Uint8Array[]) {
  let end = 0
  const borders = segments.slice(0, -1).map(({ byteLength }) => end += byteLength)
  return { body: new Uint8Array(Buffer.concat(segments)), borders }
}

/** Reads one member, which must be all there is. */
function readMember(gzip: Uint8Array): Buffer {
  const { buffer, engine } = zlib.gunzipSync(gzip, { info: true }) as unknown as {
    readonly buffer: Buffer
    readonly engine: zlib.Gunzip
  }
  if (engine.bytesWritten !== gzip.byteLength) throw new Error("Something follows the member.")
  return buffer
}

const segment = fc.oneof(
  fc.array(fc.constantFrom(..."{é🎟}"), { maxLength: 200 }).map((text) =>
    Buffer.from(text.join(""))
  ),
  fc.integer({ min: 1, max: 200_000 }).map((length) => Buffer.alloc(length, "record ")),
  fc.integer({ min: 1, max: 100_000 }).map((length) => randomBytes(length)),
)

t.test("Splicer.gzip: segments that were seen become one member of the bytes, and others are left to others", async (t) => {
  const splicer = new Splicer(much)
  // Few different ones, so that most are kept.
  const usual = fc.sample(segment, { numRuns: 30, seed: 1 })
  const some = fc.array(
    fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...usual) }, segment),
    { minLength: 2, maxLength: 12 },
  )
  let spliced = 0
  await fc.assert(
    fc.asyncProperty(some, async (segments) => {
      const { body, borders } = bodyOf(segments)
      for (const turn of ["new", "seen", "kept"]) {
        const gzip = await splicer.gzip(body, borders)
        const isCut = borders.length > 0
        if (gzip === undefined && turn !== "new" && isCut) return false
        if (gzip === undefined) continue
        spliced++
        if (!readMember(gzip).equals(Buffer.from(body))) return false
        const stream = new Blob([gzip]).stream().pipeThrough(new DecompressionStream("gzip"))
        if (!Buffer.from(await new Response(stream).arrayBuffer()).equals(body)) return false
      }
      return true
    }),
    { numRuns: 15 },
  )
  t.ok(spliced > 15, `${spliced} bodies`)
})

/** Records, in two segments, which are kept. */
async function keptRecords() {
  const splicer = new Splicer(much)
  const body = new Uint8Array(Buffer.from("a record of a guest, ".repeat(4000)))
  const borders = [60_000]
  const read = async (bytes: Uint8Array<ArrayBuffer>) => {
    const gzip = await splicer.gzip(bytes, borders)
    return gzip && readMember(gzip)
  }
  for (const _ of ["new", "seen"]) await read(body)
  return { splicer, body, read }
}

t.test("Splicer.gzip does not mistake other bytes for those that it has kept, wherever they differ", async (t) => {
  const { splicer, body, read } = await keptRecords()
  const { size } = splicer
  const places = [0, 1, 47, 48, 49, 1000, 59_951, 59_952, 59_999, 60_000, 60_048, 70_000, 83_999]
  for (const at of places) {
    const changed = body.slice()
    changed[at] = "X".charCodeAt(0)
    // What has other ends is new at first.
    for (const _ of ["new", "seen"]) {
      const result = await read(changed)
      t.ok(!result || result.equals(Buffer.from(changed)), `a change at ${at}`)
    }
  }
  t.ok(splicer.size > size)
  t.ok((await read(body))?.equals(Buffer.from(body)))
})

t.test("Splicer.gzip reads a body before it returns, and not later: its memory is used for others", async (t) => {
  const { body, read } = await keptRecords()
  for (const letter of Buffer.from("abc")) {
    for (const turn of ["new", "seen", "kept"]) {
      body.fill(letter, 100, 80_000)
      const expected = Buffer.from(body)
      const reading = read(body)
      body.fill(0, 100, 80_000)
      const result = await reading
      t.ok(result ? result.equals(expected) : turn === "new")
    }
  }
})

t.test("Splicer keeps segments that come again, and no more than it may", async (t) => {
  const most = 1024 * 1024
  const splicer = new Splicer(most)
  const size = 70_000
  const [first, ...others] = Array.from({ length: 30 }, () => new Uint8Array(randomBytes(size)))
  const body = first as Uint8Array<ArrayBuffer>
  t.equal(await splicer.gzip(body, [35_000]), undefined)
  t.ok(splicer.size < 2000, "only that they came")
  const gzip = await splicer.gzip(body, [35_000])
  t.ok(splicer.size > 1.5 * size, "the bytes and what they become")
  t.strictSame(await splicer.gzip(body, [35_000]), gzip)
  for (const other of others) {
    for (const _ of ["new", "seen"]) await splicer.gzip(other, [35_000])
    t.ok(splicer.size <= most)
  }
  t.ok(splicer.size > most / 2)
  t.equal(await splicer.gzip(body, [35_000]), undefined, "the oldest is forgotten")
})
