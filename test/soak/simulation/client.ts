import { Buffer } from "node:buffer"
import { password } from "../../support/builder.ts"
import type { ClientOptions, SimulatedService } from "./service.ts"
import type { AccountName, World } from "./world.ts"

export interface ClientSettings extends ClientOptions {
  readonly account: AccountName
  /** Who it is in exchanges and the story; the account by default. */
  readonly name?: string
  /** Its password, if not that of the builders. */
  readonly password?: string
}

/** How one request differs from the client's usual ones. */
export interface Ask extends ClientOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly json?: unknown
  readonly signal?: AbortSignal
  readonly service?: SimulatedService
}

/** A response whose body was read in full. */
export interface Got {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body, if it is JSON. */
  readonly json: unknown
}

/** A program of an account: logs in when it has to, and keeps its cookie. */
export class Client {
  readonly #world: World
  readonly #settings: ClientSettings
  /** Its cookie or token, as a header; undefined before it has logged in. */
  credential: Readonly<Record<string, string>> | undefined

  constructor(world: World, settings: ClientSettings) {
    this.#world = world
    this.#settings = settings
  }

  get account(): AccountName {
    return this.#settings.account
  }

  get name(): string {
    return this.#settings.name ?? this.account
  }

  /** Sends a request with what it has to show, and does not read the body. @throws {TypeError} as `fetch` does. */
  async send(path: string, ask: Ask = {}): Promise<Response> {
    const { method = "GET", json, signal, service, ...options } = ask
    const headers = new Headers({ ...this.credential, ...ask.headers })
    if (json !== undefined) headers.set("content-type", "application/json")
    const body = json === undefined ? null : JSON.stringify(json)
    const url = new URL(path, "http://export.test")
    const request = new Request(url, { method, headers, body, ...signal && { signal } })
    const { name: _, password: __, account: ___, ...usual } = this.#settings
    return await this.#world.fetch(request, {
      ...{ ...usual, ...options, service },
      ...{ client: this.name, account: this.account },
    })
  }

  /**
   * Sends a request and reads the body; logs in first if it never has, or again after a 401.
   * @throws {TypeError} as `fetch` does, if the connection is refused or breaks.
   */
  async get(path: string, ask: Ask = {}): Promise<Got> {
    if (!this.credential) await this.logIn(ask)
    const got = await read(await this.send(path, ask))
    if (got.status !== 401 || !(await this.logIn(ask))) return got
    return await read(await this.send(path, ask))
  }

  /** Logs in, and keeps the cookie. Returns false if it may not. @throws {TypeError} as `fetch` does. */
  async logIn({ service, address }: Ask = {}): Promise<boolean> {
    this.credential = undefined
    const { account: username, password: own = password } = this.#settings
    const response = await this.send("/session", {
      method: "POST",
      json: { username, password: own },
      ...service && { service },
      ...address !== undefined && { address },
    })
    await response.arrayBuffer()
    const [cookie = ""] = (response.headers.getSetCookie()[0] ?? "").split(";")
    if (!cookie) return false
    this.credential = { cookie }
    return true
  }
}

/** Reads a response. @throws {TypeError} if the connection breaks. */
export async function read(response: Response): Promise<Got> {
  const text = Buffer.from(await response.arrayBuffer()).toString()
  const { status, headers } = response
  const isJson = /json\b/.test(headers.get("content-type") ?? "") &&
    !/ndjson/.test(headers.get("content-type") ?? "")
  return { status, headers, text, json: isJson && text ? JSON.parse(text) : undefined }
}
