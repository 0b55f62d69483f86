import { RefusalLog } from "../http/refusal-log.ts"
import type { Log } from "../log.ts"
import { type Exchange, isProbe, type OpenExchange } from "./exchange.ts"
import { roundMilliseconds } from "./incoming-request.ts"

/** Writes a line for each answered request. Nothing personal is in it. */
export class RequestLog {
  readonly #log: Log
  readonly #refusals: RefusalLog

  constructor(log: Log) {
    this.#log = log
    this.#refusals = new RefusalLog(log)
  }

  write(exchange: Exchange): void {
    const { sent: { problem } } = exchange
    const line = lineOf(exchange)
    if (isProbe(exchange)) this.#log.debug(line, "request")
    else if (problem && isFloodable(exchange)) {
      this.#refusals.write(
        { ...line, address: exchange.asked.address, code: problem.code },
        "request",
      )
    } else this.#log.info(line, "request")
  }

  /** Writes what is left to write of a flood of refusals. */
  flush(): void {
    this.#refusals.flush()
  }
}

/** The fields of a line of the log. */
type LogFields = Readonly<Record<string, unknown>>

/** Returns the log's fields of a request, as far as it has come. */
export function describeRequest({ asked, decided }: OpenExchange): LogFields {
  const { id, traceId, method, address, match, input, action } = asked
  const { admission, username, node, retries } = decided
  const query = input?.query
  const event = input?.eventId?.value
  const account = admission?.session.account
  return {
    ...{ id, method, address },
    ...traceId !== undefined && { traceId },
    ...match && { route: match.route.pattern.text, family: match.route.plugin },
    ...action && { action },
    ...query && event !== undefined && { event },
    ...query?.logged,
    ...node && { node },
    ...retries && { retries },
    ...account && { account: account.username, role: account.role },
    ...username !== undefined && { account: username },
  }
}

/** Returns the line of an answered request. */
function lineOf(exchange: Exchange): LogFields {
  const { asked: { watch }, decided: { delay, waited }, sent, ended, account, rejected } = exchange
  const { status, bytes, page, problem, ending, began } = sent
  return {
    ...describeRequest(exchange),
    ...ended && { accountId: ended.account },
    ...account !== undefined && { account },
    ...page && { rows: page.rows },
    ...page?.cursor !== undefined && { cursor: page.cursor },
    ...ending && { ending },
    ...problem && { code: problem.code },
    ...rejected && { rejected },
    status,
    bytes,
    ms: roundMilliseconds(watch.elapsed),
    dbMs: roundMilliseconds(watch.inDatabase),
    ...began !== undefined && { beginMs: roundMilliseconds(began) },
    ...delay && { delayMs: roundMilliseconds(delay) },
    ...waited !== undefined && { waitedMs: roundMilliseconds(waited) },
  }
}

/** Returns true for refused requests that anyone can send in any number; not for attempted log-ins: each may matter. */
function isFloodable({ asked: { action }, decided, sent }: Exchange): boolean {
  // A route's own form of a refusal may have another status.
  const status = sent.problem?.status ?? sent.status
  return !decided.admission && status >= 400 && status < 500 &&
    (action !== "log-in" || status === 429)
}
