import { Buffer } from "node:buffer"
import { randomFillSync } from "node:crypto"

/** Where a request stands in a distributed trace (W3C Trace Context). Ids are lower-case hexadecimal. */
export interface TraceContext {
  /** 32 digits, taken over from the caller where it sent a valid `traceparent`. */
  readonly traceId: string
  /** 16 digits: this request's own. */
  readonly spanId: string
  /** The caller's span; undefined where the trace begins here. */
  readonly parentId: string | undefined
  /** Two digits; the last bit says that the trace is recorded. */
  readonly flags: string
}

/** The trace that a request belongs to: that of its `traceparent`, or a new one. */
export function continueTrace(traceparent: string | null): TraceContext {
  const spanId = randomHex(8)
  const [, version, traceId, parentId, flags, rest] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(traceparent ?? "") ??
      []
  const isValid = traceId !== undefined && parentId !== undefined && flags !== undefined &&
    version !== "ff" && (version !== "00" || rest === undefined) &&
    /[^0]/.test(traceId) && /[^0]/.test(parentId)
  if (!isValid) return { traceId: randomHex(16), spanId, parentId: undefined, flags: newTrace }
  return { traceId, spanId, parentId, flags }
}

/** `traceresponse`, which tells a caller who traces the trace and this request's span in it. */
export function traceResponse({ traceId, spanId, flags }: TraceContext): string {
  return `00-${traceId}-${spanId}-${flags}`
}

/** Not recorded as far as is known here; the second bit says that the id is random. */
const newTrace = "02"

// Asking the system for a few bytes costs more than all else here: a supply is fetched at a time.
const supply = Buffer.alloc(4096)
let used = supply.length

function randomHex(bytes: number): string {
  if (used + bytes > supply.length) {
    randomFillSync(supply)
    used = 0
  }
  const hex = supply.toString("hex", used, used += bytes)
  return /[^0]/.test(hex) ? hex : randomHex(bytes)
}
