import * as v from "valibot"
import { definePlugin, handler, respondIfChanged, signedIn } from "../../core/plugin.ts"

const document = v.pipe(
  v.looseObject({ openapi: v.string(), info: v.looseObject({}), paths: v.looseObject({}) }),
  v.description("An OpenAPI 3.1 document."),
)

/** The OpenAPI document, to each caller of what they may use. */
export default definePlugin({
  apiVersion: 2,
  name: "openapi",
  summary: "The OpenAPI document of what the caller may use",
  settings: v.strictObject({}),
  mount: () => ({
    prefix: "",
    routes: [
      handler("GET", "/openapi.json", {
        auth: signedIn,
        needs: ["openapi"],
        handle: async ({ request, host }) => respondIfChanged(request, await host.openapi()),
        describe: {
          summary: "OpenAPI document",
          description: "This document, with the routes that the caller may use.",
          answers: { 200: document, 304: null },
          headers: ["Cache-Control", "Vary", "ETag"],
        },
      }),
    ],
  }),
})
