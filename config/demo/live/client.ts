import type { DemonstrationService } from "../../../plugins/capabilities/demonstration/demonstration.ts"
import { password } from "../accounts.ts"

/** A response other than 2xx. */
export class Refusal extends Error {
  override readonly name = "Refusal"
  readonly status: number
  readonly code: string
  /** Seconds until the request can succeed. */
  readonly wait: number

  constructor(status: number, code: string, wait: number) {
    super(`${status} ${code}`)
    this.status = status
    this.code = code
    this.wait = wait
  }
}

/** A partner's HTTP client. Logs in when it needs to, and follows the guide for partners otherwise. */
export class Client {
  readonly username: string
  #cookie: string | undefined

  constructor(username: string) {
    this.username = username
  }

  /** Sends a request; logs in first if there is no session, or if it has ended. @throws {Refusal} */
  async send(
    service: DemonstrationService,
    path: string,
    init: RequestInit = {},
  ): Promise<Response> {
    if (this.#cookie === undefined) await this.logIn(service)
    try {
      return await this.#send(service, path, init)
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== "unauthenticated") throw error
      await this.logIn(service)
      return await this.#send(service, path, init)
    }
  }

  /** Gets a path with the session that there is, even if it has ended. @throws {Refusal} */
  getAsIs(service: DemonstrationService, path: string): Promise<Response> {
    return this.#send(service, path)
  }

  /** Ends the session, and keeps its cookie. @throws {Refusal} */
  async logOut(service: DemonstrationService): Promise<void> {
    await this.#send(service, "/session", { method: "DELETE" })
  }

  /** @throws {Refusal} also if the account is disabled or has a password of its own: then it sends nothing. */
  async logIn(service: DemonstrationService): Promise<void> {
    const known = await service.db.selectFrom("account").select("id")
      .where("username", "=", this.username).where("demonstration", "=", 1)
      .where("disabled", "=", 0).executeTakeFirst()
    if (!known) throw new Refusal(401, "invalid_credentials", 60)
    const response = await this.#send(service, "/session", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ username: this.username, password }),
    })
    this.#cookie = response.headers.getSetCookie()[0]?.split(";")[0]
  }

  async #send(
    { request }: DemonstrationService,
    path: string,
    { headers, ...init }: RequestInit = {},
  ): Promise<Response> {
    const sent = new Headers(headers)
    if (this.#cookie !== undefined) sent.set("cookie", this.#cookie)
    const response = await request(path, { ...init, headers: sent })
    if (response.ok) return response
    const { code } = await response.json() as { code: string }
    throw new Refusal(response.status, code, Number(response.headers.get("retry-after") ?? 15))
  }
}
