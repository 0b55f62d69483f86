import {
  announced,
  type Announcement,
  anyone,
  apiVersion,
  auctionItem,
  buyNowItem,
  type Catalogue,
  csv,
  definePlugin,
  deprecated,
  type Deprecation,
  describeDeprecation,
  type Description,
  etagOf,
  event,
  type EventName,
  events,
  type Family,
  family,
  type FamilyPolicy,
  gliRaffle,
  granted,
  guest,
  guests,
  handler,
  type HandlerContext,
  type HandlerRoute,
  items,
  type ItemsProjection,
  leanEvent,
  leanGuest,
  leanItems,
  listing,
  type ListingParameter,
  type ListingRoute,
  matchesEtag,
  type Method,
  type Mount,
  type MountedRoute,
  type Numbers,
  operatorOnly,
  pathSegment,
  pick,
  pledge,
  type Plugin,
  type Policy,
  Problem,
  type ProblemCode,
  problems,
  type Projection,
  raffle,
  readForm,
  readJson,
  readPreferences,
  type RecordType,
  type RefusedRequest,
  type Resource,
  respondFile,
  respondIfChanged,
  respondJson,
  rewritten,
  type Route,
  type ServedFile,
  servedFile,
  serviceUser,
  type Session,
  signedIn,
  slug,
  type Status,
  ticket,
  username,
  v,
  whole,
  wholeItems,
} from "../../core/plugin.ts"

const settings = v.strictObject({
  segment: pathSegment,
  organizations: v.array(slug),
  owner: username,
})

type Settings = v.InferOutput<typeof settings>

/** Uses all that version 1.1.0 lets a plugin use. It is not changed: a later version must still take it. */
const sample: Plugin<Settings> = definePlugin({
  apiVersion,
  name: "sample",
  summary: "All that a plugin may use",
  version: "1.1.0",
  settings,
  mount: ({ segment, organizations, owner }): Mount[] => [
    family(`/${segment}/v1`, lean(granted(organizations))),
    family(`/${segment}/v2`, { ...lean(serviceUser(owner, organizations[0] ?? "")), items: soon }),
    { prefix: `/${segment}/v3`, routes: lists(granted(organizations)) },
    { prefix: `/${segment}/tools`, routes: tools() },
  ],
  document: (catalogue) => Promise.resolve(describe(catalogue)),
})

export default sample

const soon: Announcement = { announced: "Items come later." }

function lean(auth: FamilyPolicy): Family {
  return { auth, events: leanEvent, guests: leanGuest, items: leanItems }
}

const named: Projection<"Guest"> = rewritten(
  pick(guest, ["id", "eventId", "firstName", "updated"]),
  v.object({ id: v.string(), eventId: v.string(), updated: v.number(), name: v.string() }),
  ({ firstName, ...record }) => ({ ...record, name: firstName }),
)

const chosen: ItemsProjection = {
  ...wholeItems,
  buyNows: pick(buyNowItem, ["id", "eventId", "price", "updated"]),
  auctionItems: whole(auctionItem),
  pledges: whole(pledge),
  prizeDraws: whole(raffle),
  gliRaffles: whole(gliRaffle),
  tickets: whole(ticket),
}

const aging: Deprecation = {
  since: "2026-01-01",
  sunset: "2126-01-01",
  successor: "/sample/v1/events",
}

function lists(auth: Policy): Route[] {
  const resource: Resource<Projection<"Guest">> = guests
  const old: ListingRoute = listing("/events", events, { auth, project: whole(event) })
  return [
    deprecated(aging, old),
    listing("/events/:eventId/guests", resource, { auth, project: named }),
    listing("/events/:eventId/items", items, { auth, project: chosen }),
    announced("/events/:eventId/badges", { auth, detail: describeDeprecation(aging) }),
  ]
}

const described: Description = {
  summary: "Size of a badge",
  description: "Looks up a size.",
  parameters: { size: "Such as `a6`." },
  answers: { 200: v.strictObject({ size: v.string() }) },
  problems: { not_found: "There is no such size." },
}

function tools(): HandlerRoute[] {
  const post: Method = "POST"
  return [
    handler("GET", "/badges/:size", { auth: signedIn, describe: described, handle: showSize }),
    handler("GET", "/style", {
      auth: anyone,
      handle: async ({ request }) => respondFile(request, await style),
    }),
    handler("GET", "/numbers", {
      auth: signedIn,
      needs: ["catalogue", "readiness"],
      handle: async ({ request, host }) =>
        respondIfChanged(request, describe(await host.catalogue())),
    }),
    handler("GET", "/rows", {
      auth: operatorOnly,
      needs: ["status"],
      refused: explain,
      handle: async ({ request, host }) => {
        const body = csv(rowsOf(host.status()))
        const etag = etagOf(new TextEncoder().encode(body))
        const isKnown = matchesEtag(request.headers.get("if-none-match"), etag)
        return new Response(isKnown ? null : body, {
          status: isKnown ? 304 : 200,
          headers: { etag },
        })
      },
    }),
    handler(post, "/notes", { auth: signedIn, longestBody: 100, handle: takeNote }),
  ]
}

const style: Promise<ServedFile> = servedFile("main { color: black }", "text/css")

function showSize({ params, session }: HandlerContext): Response {
  const caller: Session | undefined = session
  if (params["size"] === "none" || !caller) throw new Problem("not_found", "There is no such size.")
  return respondJson({ size: params["size"] })
}

async function takeNote({ request }: HandlerContext): Promise<Response> {
  const isForm = request.headers.get("content-type")?.startsWith("multipart/")
  const note = isForm ? (await readForm(request, 100)).get("note") : await readJson(request)
  return respondJson({ note, preferred: readPreferences(request.headers).size }, { status: 201 })
}

function explain(
  { code, message }: Problem,
  { request, requestId }: RefusedRequest,
): Response | undefined {
  const known: ProblemCode = code
  const { status } = problems[known]
  return request.headers.get("accept") === "text/plain"
    ? new Response(`${message} ${requestId}`, { status })
    : undefined
}

function describe(
  { numbers, parameters, records, routes, eventsOf }: Catalogue,
): Record<string, unknown> {
  const { limits }: Numbers = numbers
  const first: MountedRoute | undefined = routes[0]
  const own: readonly EventName[] = first ? eventsOf(first) : []
  const parameter: ListingParameter = "since"
  const record: RecordType | undefined = records.get("Guest")
  return { limits, own, parameter: parameters[parameter], record: record?.name }
}

function rowsOf({ database }: Status): string[][] {
  return [["database", database]]
}
