import { scryptSync } from "node:crypto"
import { parentPort } from "node:worker_threads"
import type { Derivation } from "./scrypt-threads.ts"

parentPort?.on("message", ({ password, salt, length, options }: Derivation) => {
  parentPort?.postMessage(scryptSync(password, salt, length, options))
})
