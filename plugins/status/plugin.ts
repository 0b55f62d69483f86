import * as v from "valibot"
import { definePlugin, handler, operatorOnly, respondJson } from "../../core/plugin.ts"

/** What is loaded, and how the last reload went. */
export default definePlugin({
  apiVersion: 2,
  name: "status",
  summary: "What is loaded and how the last reload went, for operators",
  settings: v.strictObject({}),
  mount: () => ({
    prefix: "",
    routes: [
      handler("GET", "/status", {
        auth: operatorOnly,
        needs: ["status"],
        describe: {
          summary: "What is loaded",
          description: "The plugins and routes that are in force, and how the last reload went.",
          answers: { 200: v.looseObject({}) },
          headers: ["Cache-Control"],
        },
        handle: ({ host }) => respondJson(host.status(), { headers: { "cache-control": "no-store" } }),
      }),
    ],
  }),
})
