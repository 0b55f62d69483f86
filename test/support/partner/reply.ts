import { linkOf } from "../polling/link.ts"

/** A response whose body was read in full. */
export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** How a partner gets a path: in this process, from a process, or in a simulated world. */
export type Get = (path: string, headers?: Readonly<Record<string, string>>) => Promise<Reply>

/** A response that a partner has not expected. */
export class Refused extends Error {
  override readonly name = "Refused"
  readonly status: number
  readonly code: string

  constructor(path: string, reply: Pick<Reply, "status" | "text">) {
    super(`${path}: ${reply.status} ${reply.text.slice(0, 300)}`)
    this.status = reply.status
    this.code = codeOf(reply)
  }
}

/** Returns the code of an error; empty without one. */
export function codeOf({ text }: Pick<Reply, "text">): string {
  try {
    return JSON.parse(text).code ?? ""
  } catch {
    return ""
  }
}

/** Sends requests to a service in this process, or to whatever answers in its place. */
export function getFrom(
  fetch: (request: Request) => Response | Promise<Response>,
  cookie: string,
): Get {
  return async (path, headers = {}) => {
    const url = new URL(path, "http://localhost")
    const response = await fetch(new Request(url, { headers: { ...headers, cookie } }))
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
}

/** Reads a list from a path to its end, in one go. @throws {Refused} unless each page is a 200 or a 304. */
export async function* pagesOf(
  get: Get,
  path: string,
  headers: () => Readonly<Record<string, string>> = () => ({}),
): AsyncGenerator<Reply> {
  for (let next: string | undefined = path; next !== undefined;) {
    const reply: Reply = await get(next, headers())
    if (reply.status !== 200 && reply.status !== 304) throw new Refused(next, reply)
    next = linkOf(reply)
    yield reply
  }
}
