import { Buffer } from "node:buffer"
import { createHmac, randomBytes } from "node:crypto"
import { deriveKey } from "../../../core/capability.ts"

/** A message to a receiver. Its body is text, since the sent bytes are signed. */
export interface SignedMessage {
  /** Without a dot: dots separate what is signed. */
  readonly id: string
  /** Unix seconds. */
  readonly at: number
  readonly body: string
  /** The secrets in force: the receiver may know any of them. */
  readonly secrets: readonly string[]
}

const prefix = "whsec_"

/** Creates a secret for a receiver, in the format of Standard Webhooks: 32 random bytes. */
export function newSecret(): string {
  return prefix + randomBytes(32).toString("base64")
}

/**
 * Returns the headers of Standard Webhooks, with one signature per secret.
 * @throws {Error} if there is no secret, if one is malformed, or if the id contains a dot.
 */
export function signedHeaders(message: SignedMessage): Record<string, string> {
  const { id, at } = message
  if (!/^[A-Za-z0-9_-]+$/.test(id)) {
    throw new Error("The id of a message has letters, digits, - and _ only")
  }
  return {
    "webhook-id": id,
    "webhook-timestamp": String(at),
    "webhook-signature": signaturesOf(message).join(" "),
  }
}

/** Returns one signature per secret. @throws {Error} if there is no secret, or if one is malformed. */
export function signaturesOf(message: SignedMessage): readonly string[] {
  const { secrets } = message
  if (secrets.length === 0) throw new Error("A message needs a secret to be signed with")
  return secrets.map((secret) => `v1,${signatureOf(message, secret)}`)
}

/**
 * Returns the text of a receiver's challenge that began at a time. It is derived from a session secret, so that all
 * processes know it and nobody else can guess it.
 */
export function challengeOf(
  { id, since }: { readonly id: string; readonly since: number },
  sessionSecret: string,
): string {
  return createHmac("sha256", deriveKey(sessionSecret, "challenge")).update(`${id} ${since}`)
    .digest("base64url")
}

function signatureOf({ id, at, body }: SignedMessage, secret: string): string {
  const key = Buffer.from(secret.slice(prefix.length), "base64")
  if (!secret.startsWith(prefix) || key.length < 24) {
    throw new Error("This is not a secret of a receiver")
  }
  return createHmac("sha256", key).update(`${id}.${at}.${body}`).digest("base64")
}
