import { once } from "node:events"
import { type Readable, Transform, type Writable } from "node:stream"
import { pipeline } from "node:stream/promises"
import zlib from "node:zlib"
import type { chooseEncoding } from "../../../core/plugin.ts"

/** An encoding of a body, such as `gzip`. */
type Encoding = NonNullable<ReturnType<typeof chooseEncoding>>

/** The most bytes that may wait to be compressed, and to be sent. */
const mostWaiting = 256 * 1024

const { BROTLI_PARAM_QUALITY: quality, ZSTD_c_compressionLevel: level } = zlib.constants
const options = { writableHighWaterMark: mostWaiting, chunkSize: 64 * 1024 }

/** The same compression levels as for other bodies. */
const compressors = {
  zstd: () => zlib.createZstdCompress({ ...options, params: { [level]: 1 } }),
  br: () => zlib.createBrotliCompress({ ...options, params: { [quality]: 1 } }),
  gzip: () => zlib.createGzip({ ...options, level: 1 }),
} satisfies Record<Encoding, () => Writable>

/** An encoded body that is written while it is sent. */
export class StreamedBody {
  /** The bytes to send. It is destroyed if the client is gone, or must not take the body for complete. */
  readonly readable: Readable
  /** Resolves once everything is compressed and waits to be sent, or the body is destroyed. Never rejects. */
  readonly closed: Promise<void>
  /** The bytes sent so far. */
  bytes = 0
  readonly #output = new Transform({
    highWaterMark: mostWaiting,
    transform: (chunk: Uint8Array, _encoding, done) => {
      this.bytes += chunk.byteLength
      done(null, chunk)
    },
  })
  readonly #compressor: ReturnType<(typeof compressors)[Encoding]> | undefined
  readonly #input: Writable

  constructor(encoding: Encoding | undefined) {
    this.#compressor = encoding && compressors[encoding]()
    this.#input = this.#compressor ?? this.#output
    this.readable = this.#output
    const { promise, resolve } = Promise.withResolvers<void>()
    this.closed = promise
    // The writer notices that it was destroyed.
    this.#output.once("finish", resolve).once("close", resolve).on("error", () => {})
    if (this.#compressor) pipeline(this.#compressor, this.#output).catch(() => {})
  }

  /** True once everything is compressed and waits to be sent. */
  get isWhole(): boolean {
    return this.#output.writableFinished
  }

  /** Writes bytes. Resolves once there is room for more, or `until` aborts. @throws {Error} if it was destroyed. */
  async write(bytes: Uint8Array, until: AbortSignal): Promise<void> {
    this.#assertOpen()
    const hasRoom = this.#input.write(bytes)
    // Otherwise, a compressor holds bytes back until it has more.
    this.#compressor?.flush()
    if (!hasRoom && !until.aborted) await this.#wait(until)
    this.#assertOpen()
  }

  /** Writes the last bytes. */
  end(bytes: Uint8Array): void {
    this.#assertOpen()
    this.#input.end(bytes)
  }

  /** Breaks the body off, so that the client does not mistake it for complete. */
  fail(error: Error): void {
    this.#output.destroy(error)
  }

  /**
   * Breaks the body off after these bytes: some proxies end their response regularly although the service broke off.
   */
  failBehind(bytes: Uint8Array, error: Error): void {
    if (this.#output.destroyed) return
    let isWritten = false
    const failOnceRead = () =>
      setImmediate(() => {
        const { readableLength, writableLength } = this.#output
        const left = readableLength + writableLength + (this.#compressor?.readableLength ?? 0)
        if (isWritten && left === 0) this.fail(error)
      })
    const written = () => {
      isWritten = true
      failOnceRead()
    }
    this.#output.on("data", failOnceRead)
    this.#input.write(bytes, this.#compressor ? undefined : written)
    this.#compressor?.flush(written)
  }

  /**
   * Breaks the body off if the client has not read all of it within a time after `until` aborts, or after everything
   * waits to be sent: a client that does not read would keep its connection, even while the service is stopping.
   */
  breakOff(until: AbortSignal, milliseconds: number): void {
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = () => this.fail(new Error("The client did not read the response in time."))
    const start = () => {
      if (timer || this.#output.destroyed) return
      timer = setTimeout(late, milliseconds)
      timer.unref()
    }
    if (until.aborted) start()
    else until.addEventListener("abort", start)
    void this.closed.then(start)
    this.#output.once("close", () => {
      clearTimeout(timer)
      until.removeEventListener("abort", start)
    })
  }

  #assertOpen(): void {
    if (this.#output.destroyed) throw new Error("The client is gone.")
  }

  async #wait(until: AbortSignal): Promise<void> {
    const settled = new AbortController()
    const signal = AbortSignal.any([until, settled.signal])
    const waits = ["drain", "close"].map((event) => once(this.#input, event, { signal }))
    // Waiting fails if it is aborted or the body is destroyed.
    await Promise.race(waits).catch(() => {})
    settled.abort()
    await Promise.allSettled(waits)
  }
}
