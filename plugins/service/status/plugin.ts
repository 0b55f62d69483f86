import * as v from "valibot"
import { definePlugin, handler, operatorOnly, respondJson } from "../../../core/plugin.ts"

/** The loaded plugins and routes, and the result of the last reload. */
export default definePlugin({
  apiVersion: 3,
  name: "status",
  summary: "Loaded plugins and the result of the last reload, for operators",
  settings: v.strictObject({}),
  mount: () => ({
    prefix: "",
    routes: [
      handler("GET", "/status", {
        auth: operatorOnly,
        needs: ["status"],
        describe: {
          summary: "Status",
          description: "The loaded plugins and routes, and the result of the last reload.",
          answers: { 200: v.looseObject({}) },
          headers: ["Cache-Control"],
        },
        handle: ({ host }) =>
          respondJson(host.status(), { headers: { "cache-control": "no-store" } }),
      }),
    ],
  }),
})
