import type { GenericSchema } from "valibot"
import { exampleRequest } from "./operation.ts"
import type { Json, Schemas } from "./schemas.ts"

/** A request that the service sends to partners. Capabilities add these to the document. */
export interface Webhook {
  readonly name: string
  readonly summary: string
  readonly description: string
  /** The headers of the request. */
  readonly headers: Readonly<
    Record<string, { readonly description: string; readonly example: string }>
  >
  readonly body: GenericSchema
  /** The meaning of each status of the response, with its body if that matters. */
  readonly answers: Readonly<Record<string, string | { description: string; body: GenericSchema }>>
}

/** Returns a document's webhooks by name; nothing if there are none. */
export function webhooksOf(webhooks: readonly Webhook[], schemas: Schemas): Json {
  if (webhooks.length === 0) return {}
  return {
    webhooks: Object.fromEntries(webhooks.map((webhook) => [
      webhook.name,
      { post: operationOf(webhook, schemas) },
    ])),
  }
}

function operationOf(
  { name, summary, description, headers, body, answers }: Webhook,
  schemas: Schemas,
): Json {
  return {
    operationId: `${name}Webhook`,
    tags: ["session"],
    summary,
    description,
    security: [],
    parameters: Object.entries(headers).map(([name, { description, example }]) => (
      { name, in: "header", required: true, description, schema: { type: "string" }, example }
    )),
    // Receivers must accept fields that are added later.
    requestBody: { required: true, content: contentOf(body, schemas) },
    responses: Object.fromEntries(
      Object.entries(answers).map(([status, answer]) => [
        status,
        typeof answer === "string"
          ? { description: answer }
          : { description: answer.description, content: contentOf(answer.body, schemas) },
      ]),
    ),
  }
}

function contentOf(body: GenericSchema, schemas: Schemas): Json {
  const schema = schemas.of(body)
  return { "application/json": { schema, ...exampleRequest(schema) } }
}
