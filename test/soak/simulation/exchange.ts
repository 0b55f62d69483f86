import type { Instance } from "../../../core/kernel/instance.ts"

/** A request, as its client has sent it. */
export interface Sent {
  /** Of the service that it was sent to. */
  readonly service: string
  /** How often that service had started. */
  readonly life: number
  /** The configuration that was in service there. */
  readonly instance: Instance
  /** Who asked, as the client says. */
  readonly client: string
  /** The account that the client is a program of. */
  readonly account: string
  /** The id of the account that had that name then; undefined if none had. */
  readonly accountId: string | undefined
  /** The address that it asked from. */
  readonly address: string
  /** The hash of the configuration that was in force when it was sent. */
  readonly config: string
  readonly method: string
  /** The path and the query. */
  readonly path: string
  readonly requestHeaders: Headers
  /** When it was sent, on the steady clock, in milliseconds. */
  readonly began: number
}

/** A request, and what its client got. */
export interface Exchange extends Sent {
  readonly status: number
  readonly headers: Headers
  /** What the client received of the body. */
  readonly body: Uint8Array
  /** False if the connection broke, or the client left. */
  readonly isWhole: boolean
  /** When it ended, on the steady clock, in milliseconds. */
  readonly ended: number
}
