/** A set-up that leaks or will not work as intended, although the service starts with it. */
export interface Warning {
  /** The setting or the thing that it is about, such as `server.trust_proxy` or `account ann`. */
  readonly about: string
  /** What is wrong, what that leads to, and what to do. */
  readonly message: string
}
