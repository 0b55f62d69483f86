import { Buffer } from "node:buffer"
import {
  type CapabilityHost,
  type Category,
  isId,
  type ListAnswer,
  represent,
  type SentPage,
  usualProblem,
} from "../../../core/capability.ts"
import { admitAgain, type AnswerOwn, type ListRequest } from "../../../core/lists.ts"
import { etagOf } from "../../../core/plugin.ts"
import { findById } from "./oldest-first.ts"
import { recordsByKeys } from "./read-keys.ts"
import { isRecord, projectionsOf } from "./routes.ts"

/** Returns what answers requests for single records. */
export function answerRecords(host: Pick<CapabilityHost, "walks">): AnswerOwn {
  return (request) => isRecord(request.route.list) ? answerRecord(request, host) : undefined
}

/** @throws {Problem} 404 if the event has no such record, or the path has no id. @throws {Unavailable} */
async function answerRecord(
  request: ListRequest,
  { walks }: Pick<CapabilityHost, "walks">,
): Promise<ListAnswer> {
  const { route: { list }, input, node, incoming, admission } = request
  const { recordId: id = "" } = input
  // It may be the name of a list that is turned off.
  if (!isId(id)) throw usualProblem("not_found")
  const wanted = input.query?.value?.category
  const categories = wanted ? [wanted as Category] : list.categories ?? []
  const found = await node.database.snapshot(async (snapshot) => {
    const { scope: { eventId } } = await admitAgain(snapshot, request)
    const [key] = await findById(snapshot, {
      eventId,
      categories,
      id,
      filter: list.filter,
    })
    if (!key) return undefined
    const projections = projectionsOf(list)
    const { texts } = await recordsByKeys(snapshot, [key], { eventId, projections })
    const text = texts.get(key)
    return text === undefined ? undefined : { key, text }
  }, incoming.watch)
  if (!found) throw usualProblem("record_not_found")
  const { key: { category, time }, text } = found
  const body = category === "guests" ? text : `{"category":"${category}",${text.slice(1)}`
  const bytes = Buffer.from(body)
  const pollInterval = walks.intervalOf(request)
  const content = { bytes, etag: etagOf(bytes), compressed: {} }
  const answer = await represent(content, walks.headersOf(request), incoming.request.headers)
  const at = admission.at
  const page: SentPage = {
    ...{ list, at, pollInterval, since: time, nextSince: walks.boundOf(request) },
    rows: 1,
    isFirst: true,
    isFiltered: true,
    range: { from: time, to: time },
    span: { oldest: time, newest: time },
    leftOut: [],
    hasNext: false,
  }
  const [of = list] = list.of ?? []
  return { ...answer, page, pages: [{ ...page, list: of }] }
}
