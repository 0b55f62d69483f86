import { type ServerResponse, STATUS_CODES } from "node:http"
import type { Socket } from "node:net"
import type { Log } from "../log.ts"
import type { JsonAnswer } from "./answer.ts"
import { arrivesLate } from "./body.ts"
import { Problem, type ProblemCode, usualProblem } from "./problems.ts"
import { RefusalLog } from "./refusal-log.ts"

/** Milliseconds after which a connection is closed whose client does not close it itself. */
const closingTime = 1000

/** Refuses requests that never become a `Request`: logs them, counts them, and sends the response. */
export class Refusals {
  readonly log: RefusalLog
  readonly #onRefuse: (code: ProblemCode) => void
  readonly #headers: Readonly<Record<string, string>>

  /** `onRefuse` is called with each code. All responses have the `headers`. */
  constructor(
    { log, onRefuse, headers }: {
      readonly log: Log
      readonly onRefuse: (code: ProblemCode) => void
      readonly headers: Readonly<Record<string, string>>
    },
  ) {
    this.log = new RefusalLog(log)
    this.#onRefuse = onRefuse
    this.#headers = headers
  }

  send(target: ServerResponse, problem: Problem): void {
    const { status, headers, body } = this.#report(problem, target.socket)
    target.writeHead(status, headers).end(body)
  }

  /** Answers bytes that Node's parser refuses, or that did not come in time, and disconnects. */
  disconnect(socket: Socket, error: NodeJS.ErrnoException): void {
    this.end(socket, problemOf(error))
  }

  /** Answers on a connection that has no response to write to, and disconnects. */
  end(socket: Socket, problem: Problem): void {
    if (!socket.writable) return void socket.destroy()
    const { headers, status, body } = this.#report(problem, socket)
    const fields = Object.entries({ ...this.#headers, ...headers, connection: "close" })
    const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`).join("")
    // Closed at once, a connection with unread bytes would be reset, and the response lost. A client
    // that ignores the end, or does not read the response, must not keep its connection either.
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}\r\n${body}`)
    setTimeout(() => socket.destroy(), closingTime).unref()
  }

  #report(problem: Problem, socket: Socket | null): JsonAnswer {
    const requestId = crypto.randomUUID()
    const { code, status } = problem
    const address = socket?.remoteAddress ?? "unknown"
    this.log.write({ id: requestId, address, code, status }, "request")
    this.#onRefuse(code)
    return problem.toAnswer(requestId)
  }
}

const badUrl = "Percent-encode what is not ASCII in the URL, and write %20 for a space."

function problemOf({ code }: NodeJS.ErrnoException): Problem {
  if (code === "HPE_HEADER_OVERFLOW") return usualProblem("headers_too_large")
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return arrivesLate()
  // curl sends non-ASCII characters as they are.
  if (code === "HPE_INVALID_URL") return new Problem("malformed_request", badUrl)
  return new Problem("malformed_request", "This is not HTTP/1.1.")
}
