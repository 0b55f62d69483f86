import * as v from "valibot"
import { type InternalContext, internalHandler } from "../../../core/capability.ts"
import { Problem, readJson, respondJson, type Route, signedIn } from "../../../core/plugin.ts"
import { assertSameOrigin } from "../../design/design.ts"
import { toJson } from "./reasons.ts"
import {
  type Acting,
  addReceiver,
  challengeReceiver,
  confirmReceiver,
  listOwnReceivers,
  most,
  noSuchReceiver,
  notWithToken,
  removeReceiver,
  renewSecret,
} from "./receivers.ts"
import { rulesOf } from "./settings.ts"
import { longestUrl } from "./tables.ts"

const time = v.pipe(v.number(), v.safeInteger())

const seconds = (description: string) => v.pipe(v.nullable(time), v.description(description))

const secret = v.pipe(
  v.string(),
  v.description("Signs the requests to the receiver. No other response has it."),
)

const receiver = v.strictObject({
  id: v.pipe(v.string(), v.uuid()),
  url: v.string(),
  state: v.pipe(
    v.picklist(["unconfirmed", "on", "off"]),
    v.description(
      "Only a receiver that is `on` gets pings. It is `unconfirmed` until it answers a challenge.",
    ),
  ),
  reason: v.pipe(
    v.nullable(v.picklist(["gone", "failing", "unconfirmed", "revoked"])),
    v.description("Why it is off; null if it is not."),
  ),
  detail: v.pipe(v.string(), v.description("For people: what has happened, and what to do.")),
  created: v.pipe(time, v.description("In Unix seconds.")),
  since: v.pipe(time, v.description("The time since which it has this state, in Unix seconds.")),
  lastSent: seconds("When it last accepted a request, in Unix seconds; null if it never has."),
  lastStatus: seconds("The status of its last response; null if there was none."),
  lastError: v.pipe(
    v.nullable(v.string()),
    v.description("A code for why the last attempt failed; null if it did not."),
  ),
  failingSince: seconds("When its failures began, in Unix seconds; null if it does not fail."),
  nextAttempt: seconds("When it is tried next, in Unix seconds; null if no attempt is planned."),
  formerSecretUntil: seconds(
    "Until when pings are also signed with the former secret, in Unix seconds; null if they are not.",
  ),
})

const newReceiver = v.strictObject({ ...receiver.entries, secret })

const url = v.pipe(
  v.string(),
  v.maxLength(longestUrl),
  v.description("An `https` URL whose host can be reached from the internet."),
  v.examples(["https://hooks.example.org/pings"]),
)

const wanted = v.strictObject({ url })

const confirmation = v.strictObject({
  challenge: v.pipe(
    v.string(),
    v.maxLength(200),
    v.description("The `challenge` that the receiver got."),
    v.examples(["Zb0WQk1yQGm3Tg"]),
  ),
})

const noStore = { "cache-control": "no-store" }
const shared = { auth: signedIn }
const ofOne = {
  parameters: { id: "The receiver's id." },
  headers: ["Cache-Control"],
  problems: { not_with_a_token: notWithToken, not_found: noSuchReceiver },
}

/** The routes for partners' own receivers, next to those of the plugin `session`. */
export function pingRoutes(): Route[] {
  return [
    internalHandler("POST", "/session/pings", {
      ...shared,
      handle: add,
      describe: {
        summary: "Register a receiver of pings",
        description:
          "The URL gets a challenge within seconds. Once it has answered, it gets a ping when a list " +
          "changes. An account " +
          `may have ${most.receivers}.`,
        body: wanted,
        answers: { 201: newReceiver },
        headers: ["Cache-Control"],
        problems: {
          not_with_a_token: notWithToken,
          not_available: "Only accounts of programs have receivers of pings.",
        },
      },
    }),
    internalHandler("GET", "/session/pings", {
      ...shared,
      handle: list,
      describe: {
        summary: "List the receivers of pings",
        description: "The account's receivers, oldest first.",
        answers: { 200: v.array(receiver) },
        headers: ["Cache-Control"],
        problems: { not_with_a_token: notWithToken },
      },
    }),
    internalHandler("DELETE", "/session/pings/:id", {
      ...shared,
      handle: remove,
      describe: {
        summary: "Remove a receiver of pings",
        description: "Nothing more is sent to it.",
        answers: { 204: null },
        ...ofOne,
      },
    }),
    internalHandler("POST", "/session/pings/:id/secrets", {
      ...shared,
      handle: renew,
      describe: {
        summary: "Replace a receiver's secret",
        description:
          "Creates a new secret. For 24 hours, pings are also signed with the former one.",
        answers: { 201: v.strictObject({ secret }) },
        ...ofOne,
      },
    }),
    internalHandler("POST", "/session/pings/:id/challenge", {
      ...shared,
      handle: challenge,
      describe: {
        summary: "Challenge a receiver",
        description:
          "Sends it a challenge within seconds, and no pings until it has answered. This is how to turn on " +
          "a receiver that is off.",
        answers: { 202: null },
        ...ofOne,
      },
    }),
    internalHandler("POST", "/session/pings/:id/confirmation", {
      ...shared,
      handle: confirm,
      describe: {
        summary: "Confirm a receiver by hand",
        description:
          "Turns on a receiver that cannot answer by itself, with the text of its latest challenge.",
        body: confirmation,
        answers: { 204: null },
        ...ofOne,
      },
    }),
  ]
}

async function add(context: InternalContext): Promise<Response> {
  const body = v.safeParse(wanted, await readJson(context.request))
  if (!body.success) {
    throw new Problem(
      "invalid_body",
      `The body must be {"url": "https://…"} and nothing else, with a URL of up to ${longestUrl} characters.`,
    )
  }
  const { acting, now } = ownChange(context)
  const { database, plan } = context.internals
  const rules = rulesOf(plan)
  const added = await addReceiver(database, body.output.url, { ...acting, rules })
  const { id, url, state, ...rest } = toJson(added.receiver, now)
  const answer = { id, url, state, secret: added.secret, ...rest }
  return respondJson(answer, { status: 201, headers: noStore })
}

async function list(context: InternalContext): Promise<Response> {
  const { acting: { caller }, now } = ownChange(context)
  const own = await listOwnReceivers(context.internals.readable, caller)
  return respondJson(own.map((each) => toJson(each, now)), { headers: noStore })
}

async function remove(context: InternalContext): Promise<Response> {
  await removeReceiver(context.internals.database, idOf(context), ownChange(context).acting)
  return new Response(null, { status: 204, headers: noStore })
}

async function renew(context: InternalContext): Promise<Response> {
  const { acting } = ownChange(context)
  assertSameOrigin(context.request)
  const secret = await renewSecret(context.internals.database, idOf(context), acting)
  return respondJson({ secret }, { status: 201, headers: noStore })
}

async function challenge(context: InternalContext): Promise<Response> {
  assertSameOrigin(context.request)
  await challengeReceiver(context.internals.database, idOf(context), ownChange(context).acting)
  return new Response(null, { status: 202, headers: noStore })
}

async function confirm(context: InternalContext): Promise<Response> {
  const body = v.safeParse(confirmation, await readJson(context.request))
  if (!body.success) {
    throw new Problem(
      "invalid_body",
      'The body must be {"challenge": "…"} and nothing else, with the text that came to the receiver.',
    )
  }
  const { database, plan: { session: { secrets } } } = context.internals
  const { acting } = ownChange(context)
  await confirmReceiver(database, idOf(context), { ...acting, ...body.output, secrets })
  return new Response(null, { status: 204, headers: noStore })
}

function idOf({ params }: InternalContext): string {
  return (params["id"] ?? "").toLowerCase()
}

function ownChange(
  { session, internals: { author } }: InternalContext,
): { readonly acting: Required<Acting>; readonly now: number } {
  if (!session) throw new TypeError("receivers are for callers with a session")
  const acting = { account: session.account, by: author, caller: session }
  return { acting, now: session.now }
}
