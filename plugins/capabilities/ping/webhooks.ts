import * as v from "valibot"

/** The headers of each request, as Standard Webhooks names them. */
const headers = {
  "webhook-id": {
    description: "The id of the message; a repeated message has the same.",
    example: "msg_2f7d4c1a9b8e6053",
  },
  "webhook-timestamp": {
    description:
      "When it was sent, in Unix seconds. Refuse the message if this is not the present time, give or take a " +
      "few minutes.",
    example: "1795348802",
  },
  "webhook-signature": {
    description:
      "`v1,` and the `HMAC-SHA-256` of `ID.TIMESTAMP.BODY`, in base64. The key is the secret after " +
      "`whsec_`, decoded from " +
      "base64. While the secret is being replaced, there are two, separated by a space.",
    example: "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  },
}

const text = v.pipe(
  v.string(),
  v.description("The text to sign."),
  v.examples(["Zb0WQk1yQGm3Tg"]),
)

const answer = v.pipe(
  v.string(),
  v.description("The signature of the challenge."),
  v.examples(["v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4="]),
)

/** The requests that receivers get, for the OpenAPI document. */
export const webhooks = [
  {
    name: "changed",
    summary: "A list has changed",
    description:
      "Poll the event now. It comes at most once per second and list, perhaps late, twice or never: keep " +
      "your scheduled poll.",
    headers,
    body: v.looseObject({
      type: v.pipe(v.literal("changed"), v.examples(["changed"])),
      event: v.pipe(
        v.string(),
        v.uuid(),
        v.description("The id of the event."),
        v.examples(["91fa3e25-8587-44b1-a2dc-4dbe423dd19f"]),
      ),
      list: v.pipe(
        v.picklist(["guests", "items", "events"]),
        v.description("The list that has changes or deletions."),
        v.examples(["guests"]),
      ),
      changed: v.pipe(
        v.number(),
        v.safeInteger(),
        v.description("When, in Unix seconds."),
        v.examples([1795348802]),
      ),
    }),
    answers: {
      "2XX": "You have received it. Answer within 5 seconds, and poll afterwards.",
      "410": "You want no more pings: the receiver is turned off.",
      "default": "It is sent again, at growing intervals, for up to eight days.",
    },
  },
  {
    name: "challenge",
    summary: "Is this your receiver?",
    description:
      "Sent after a URL was registered, and when you ask for it. No pings are sent until it is answered, " +
      "or confirmed by hand.",
    headers,
    body: v.looseObject({
      type: v.pipe(v.literal("challenge"), v.examples(["challenge"])),
      challenge: text,
    }),
    answers: {
      "2XX": {
        description:
          "It is: `v1,` and the `HMAC-SHA-256` of `ID.TIMESTAMP.CHALLENGE`, in base64 and with the same " +
          "key, as JSON or as " +
          "plain text. Libraries for Standard Webhooks return that for `sign(id, timestamp, challenge)`.",
        body: v.looseObject({ answer }),
      },
      "default": "It is sent again, at growing intervals, for a day.",
    },
  },
]
