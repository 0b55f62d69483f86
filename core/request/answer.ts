import { type Admission, type AdmissionQuestion, lookUpAdmission } from "../access/admission.ts"
import type { Session, SessionKey } from "../access/sessions.ts"
import { categories } from "../records/categories.ts"
import type { ListingRoute, MountedRoute } from "../routes/contract.ts"
import type { Peer, Services } from "./app.ts"
import type { Entry } from "./facts.ts"
import { type Asked, authorize, notLoggedIn, parse } from "./authorize.ts"
import { describeAnswer, describeListing } from "./listing/describe-listing.ts"
import { handle } from "./handle.ts"
import type { Charge } from "./limits.ts"
import { readListing, respondListing } from "./listing/answer-list.ts"
import { sessionControl } from "./session-control.ts"
import type { Stopwatch } from "./timing.ts"
import { continueWalk } from "./listing/walk.ts"

/** A request that has found its route. `entry` is its line in the log. */
export interface Call {
  readonly route: MountedRoute
  readonly request: Request
  readonly params: Readonly<Record<string, string>>
  readonly search: string
  readonly entry: Entry
  readonly peer: Peer
  readonly watch: Stopwatch
}

/**
 * Answers a request, always in this order: who calls (401), whether they ask too much (429), whether
 * the route is for them (403), what they ask for (400), whether the event is for them (404, 403), and
 * only then the records (`Pages`).
 *
 * One statement answers all of these questions; what has to be read beyond it is read in one
 * snapshot, in which they are asked again.
 *
 * @throws {Problem} for whatever the caller should know.
 */
export async function answer(call: Call, services: Services): Promise<Response> {
  const { route, request, params } = call
  const { status, readiness, timeLimit } = services

  if (route.auth.kind === "anyone") {
    if (route.kind === "listing") {
      throw new TypeError(`${route.pattern.text}: a listing is never for anyone`)
    }
    await services.limits.chargeAddress(call.peer.address, familyOf(route))
    const sessions = sessionControl(services, call)
    const catalogue = () => catalogueFor(call, undefined, services)
    const host = { sessions, status, readiness, catalogue }
    const context = { request, params, session: undefined, host }
    return await handle(route, context, timeLimit)
  }

  call.watch.enter("auth")
  const asked = parse(call)
  if (route.kind === "listing") {
    Object.assign(call.entry, describeListing(call.search, asked.eventId?.value))
  }
  const key = await services.sessions.read(request.headers.get("cookie"))
  if (!key) throw notLoggedIn()

  return await services.limits.run(key.session, () => answerSession(call, { key, asked }, services))
}

async function answerSession(
  call: Call,
  { key, asked }: { key: SessionKey; asked: Asked },
  services: Services,
): Promise<Response> {
  const { route, request, params, watch } = call
  const { gate, status, readiness, timeLimit } = services
  const question = questionOf(call, { key, asked }, services)
  const caller = await gate.lookUp(question, watch)
  services.limits.own(key.session, caller?.session.account.id)
  if (!caller) throw notLoggedIn()
  const charge = await admit(call, caller, services)
  authorize(route, caller, asked)
  services.activity.used(caller.session)

  const { session } = caller
  const response = route.kind === "listing"
    ? await answerListing({ ...call, route }, { question, caller, asked }, services)
    : await handle(
      route,
      {
        request,
        params,
        session,
        host: {
          sessions: sessionControl(services, call),
          status,
          readiness,
          catalogue: () => catalogueFor(call, session, services),
        },
      },
      timeLimit,
    )
  if (!response?.headers) return response
  const fields = await charge.settle(response.status)
  for (const [name, value] of Object.entries(fields)) response.headers.set(name, value)
  return response
}

/** What is asked about the caller, all at once. */
function questionOf(
  { route, peer: { address } }: Call,
  { key, asked }: { key: SessionKey; asked: Asked },
  { sessions: { idle }, pages }: Services,
): AdmissionQuestion {
  const eventId = asked.eventId?.value
  const categoriesRead = route.kind === "listing" && route.list.emptyBody !== undefined
    ? route.list.categories ?? []
    : []
  const tables = categoriesRead.map((category) => categories[category])
  const baseline = eventId === undefined ? 0 : pages.baselineOf(eventId)
  return { key, idle, address, eventId, tables, baseline }
}

/** Lets the caller in, unless they ask too much. */
async function admit(
  { entry, route }: Call,
  { session: { account } }: Admission,
  { limits }: Services,
): Promise<Charge> {
  entry.account = account.username
  entry.role = account.role
  return await limits.charge(account.id, familyOf(route))
}

async function answerListing(
  call: Call & { readonly route: MountedRoute & ListingRoute },
  { question, caller, asked }: {
    readonly question: AdmissionQuestion
    readonly caller: Admission
    readonly asked: Asked
  },
  services: Services,
): Promise<Response> {
  const { route, watch, search } = call
  const { session: { account, now }, event } = caller
  if (!asked.query?.value) throw new TypeError("a listing has a query, once it is authorized")
  const binding = { accountId: account.id, route: route.pattern.text, eventId: event?.id ?? "" }
  const { query, nextSince } = continueWalk(asked.query.value, { binding, now, services })
  const page = await services.pages.find({
    ...{ route, query, caller, watch },
    async read(snapshot) {
      const caller = await lookUpAdmission(snapshot, question)
      if (!caller) throw notLoggedIn()
      const scope = authorize(route, caller, asked)
      watch.enter("project")
      return { caller, listed: await readListing(route, { scope, query }, snapshot) }
    },
  })
  Object.assign(call.entry, describeAnswer(search, page.rows))
  watch.enter("encode")
  return respondListing(
    call,
    { page, query, nextSince, binding, now, status: event?.status },
    services,
  )
}

function catalogueFor(
  { request, peer: { address } }: Call,
  session: Session | undefined,
  { catalogue }: Services,
) {
  return catalogue({ session, address, origin: new URL(request.url).origin })
}

/** The routes that an account's limits are counted together for. */
function familyOf({ plugin, prefix }: MountedRoute): string {
  return `${plugin} ${prefix}`
}
