import { Buffer } from "node:buffer"
import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto"

/** The one account and list that a cursor is valid for. */
export interface CursorBinding {
  readonly accountId: string
  /** The pattern of the route. */
  readonly route: string
  readonly eventId: string
}

/** Derives the key of one purpose from a session secret. */
export function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", `event-export ${purpose}`, 32))
}

/** Signs a text together with a binding. Returns letters, digits, `-`, `_` and a dot. */
export function signText(text: string, binding: CursorBinding, key: Buffer): string {
  const content = Buffer.from(text).toString("base64url")
  return `${content}.${sign(content, binding, key)}`
}

/** Returns a text that was signed with one of these keys for this binding; undefined if it was not. */
export function openText(
  signed: string,
  binding: CursorBinding,
  keys: readonly Buffer[],
): string | undefined {
  const [content = "", signature = "", ...rest] = signed.split(".")
  const isSigned = keys.some((key) => isEqual(sign(content, binding, key), signature))
  return isSigned && rest.length === 0 ? Buffer.from(content, "base64url").toString() : undefined
}

function sign(content: string, { accountId, route, eventId }: CursorBinding, key: Buffer): string {
  const text = [accountId, route, eventId, content].join("\n")
  return createHmac("sha256", key).update(text).digest("base64url")
}

/** Compares signatures, in a time that does not depend on where they differ. */
export function isEqual(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)]
  return one.length === other.length && timingSafeEqual(one, other)
}
