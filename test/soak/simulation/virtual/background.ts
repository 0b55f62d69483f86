import { createRequire, syncBuiltinESMExports } from "node:module"

const require = createRequire(import.meta.url)

type Operation = (...values: unknown[]) => unknown
type Operations = Record<string, Operation>

/**
 * Counts what runs in other threads of this process. They have one thread (`UV_THREADPOOL_SIZE`), so that operations end
 * in the order in which they began; time stands still until then.
 */
export class Background {
  #running = 0

  /** How many operations run now. */
  get running(): number {
    return this.#running
  }

  install(): void {
    const { subtle } = crypto
    for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(subtle))) {
      const known = (subtle as unknown as Operations)[name]
      if (name === "constructor" || typeof known !== "function") continue
      Object.defineProperty(subtle, name, { value: this.#counted(known.bind(subtle)) })
    }
    const files: Operations = require("node:fs/promises")
    for (const [name, known] of Object.entries(files)) {
      if (typeof known === "function") files[name] = this.#counted(known)
    }
    this.#installZlib(require("node:zlib"))
    syncBuiltinESMExports()
  }

  /** Compresses whole bodies at once, and counts the writes of streams. */
  #installZlib(zlib: Operations): void {
    for (const name of ["gzip", "deflateRaw", "zstdCompress", "brotliCompress"]) {
      const now = zlib[`${name}Sync`] as Operation
      zlib[name] = (...values) => {
        const done = values.pop() as Operation
        queueMicrotask(() => done(null, now(...values)))
      }
    }
    for (
      const name of ["createGzip", "createZstdCompress", "createBrotliCompress", "createGunzip"]
    ) {
      const create = zlib[name] as Operation
      const value = (options: unknown) =>
        this.#countWrites(create(options) as Operations & NodeJS.EventEmitter)
      Object.defineProperty(zlib, name, { value })
    }
  }

  #countWrites(stream: Operations & NodeJS.EventEmitter): unknown {
    let own = 0
    const end = () => void (own > 0 && (own--, this.#running--))
    for (const name of ["_transform", "_flush", "_final"]) {
      const known = stream[name] as Operation | undefined
      if (!known) continue
      stream[name] = (...values) => {
        own++
        this.#running++
        const done = values.pop() as Operation
        return known.call(stream, ...values, (...results: unknown[]) => {
          end()
          done(...results)
        })
      }
    }
    stream.on("close", () => {
      while (own > 0) end()
    })
    return stream
  }

  #counted(known: Operation): Operation {
    return (...values) => {
      const result = known(...values)
      if (!(result instanceof Promise)) return result
      this.#running++
      const end = () => void this.#running--
      result.then(end, end)
      return result
    }
  }
}
