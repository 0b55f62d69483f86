import { EventEmitter } from "node:events"
import { createRequire, syncBuiltinESMExports } from "node:module"

const require = createRequire(import.meta.url)

/** Lets servers listen on nothing: every host and port is free, and nobody connects. */
export function installSockets(): void {
  class Server extends EventEmitter {
    listen(_options: unknown, done?: () => void): this {
      queueMicrotask(() => {
        this.emit("listening")
        done?.()
      })
      return this
    }
    close(done?: () => void): this {
      queueMicrotask(() => {
        this.emit("close")
        done?.()
      })
      return this
    }
  }
  Object.assign(require("node:net"), { createServer: () => new Server() })
  syncBuiltinESMExports()
}
