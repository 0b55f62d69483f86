import { createHash } from "node:crypto"
import { createRequire, syncBuiltinESMExports } from "node:module"

const require = createRequire(import.meta.url)

/**
 * Takes the place of scrypt, which is slow on purpose, while worlds log in thousands of times: its keys are hashes of the
 * same arguments.
 */
export function installKeyDerivation(): void {
  const scrypt = (
    password: string,
    salt: Uint8Array,
    length: number,
    options: object,
    done: (error: null, key: Uint8Array) => void,
  ) => {
    const hash = createHash("shake256", { outputLength: length })
    const key = hash.update(JSON.stringify([password, [...salt], options])).digest()
    queueMicrotask(() => done(null, key))
  }
  Object.assign(require("node:crypto"), { scrypt })
  syncBuiltinESMExports()
}
