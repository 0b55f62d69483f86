import * as v from "valibot"
import {
  type Catalogue,
  definePlugin,
  handler,
  respondIfChanged,
  signedIn,
} from "../../../core/plugin.ts"
import { cacheDocuments } from "./document-cache.ts"
import type { Webhook } from "./webhooks.ts"

const schema = v.pipe(
  v.looseObject({ openapi: v.string(), info: v.looseObject({}), paths: v.looseObject({}) }),
  v.description("An OpenAPI 3.1 document."),
)

/** The OpenAPI document, with the routes that the caller may use. */
export default definePlugin({
  apiVersion: 3,
  name: "openapi",
  summary: "The OpenAPI document of the routes that the caller may use",
  settings: v.strictObject({}),
  document,
  mount: (_, webhooks = []) => {
    const find = cacheDocuments((catalogue) => document(catalogue, webhooks))
    return {
      prefix: "",
      routes: [
        handler("GET", "/openapi.json", {
          auth: signedIn,
          needs: ["catalogue"],
          handle: async ({ request, host }) =>
            respondIfChanged(request, await find(await host.catalogue())),
          describe: {
            summary: "OpenAPI document",
            description: "This document, with the routes that the caller may use.",
            answers: { 200: schema, 304: null },
            headers: ["Cache-Control", "Vary", "ETag"],
          },
        }),
      ],
    }
  },
})

/** Loads the generator on first use, so that the service starts faster. Capabilities add the webhooks. */
async function document(catalogue: Catalogue, webhooks: readonly unknown[] = []) {
  const { openApiDocument } = await import("./document.ts")
  return openApiDocument(catalogue, webhooks as readonly Webhook[])
}
