import { createHash } from "node:crypto"
import { EventEmitter } from "node:events"
import { createRequire, syncBuiltinESMExports } from "node:module"

const require = createRequire(import.meta.url)

/**
 * Takes the place of the threads that derive keys from passwords, the only work that the service gives to threads of its
 * own. The keys are hashes of the same arguments: scrypt is slow on purpose, and worlds log in thousands of times.
 */
export function installThreads(): void {
  class Worker extends EventEmitter {
    postMessage(derivation: { readonly length: number }): void {
      const hash = createHash("shake256", { outputLength: derivation.length })
      const key = hash.update(JSON.stringify(derivation)).digest()
      queueMicrotask(() => this.emit("message", key))
    }
    ref(): void {}
    unref(): void {}
    terminate(): Promise<number> {
      return Promise.resolve(0)
    }
  }
  Object.assign(require("node:worker_threads"), { Worker })
  syncBuiltinESMExports()
}
