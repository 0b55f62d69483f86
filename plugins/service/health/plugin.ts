import * as v from "valibot"
import {
  anyone,
  definePlugin,
  handler,
  type HandlerContext,
  Problem,
  respondJson,
} from "../../../core/plugin.ts"

const readiness = v.strictObject({
  ready: v.literal(true),
  draining: v.literal(false),
  database: v.literal("ok"),
  primary: v.literal("ok"),
  migrations: v.literal("ok"),
  audit: v.pipe(
    v.picklist(["ok", "delayed"]),
    v.description("`delayed` if requests have not been recorded for a minute."),
  ),
  triggers: v.pipe(
    v.picklist(["ok", "faulty"]),
    v.description("`faulty` if triggers are missing, so that changes may go unnoticed."),
  ),
  config: v.pipe(
    v.picklist(["ok", "refused"]),
    v.description("`refused` if the last change of the configuration was refused."),
  ),
  families: v.pipe(
    v.record(v.string(), v.picklist(["ok", "failed"])),
    v.description("By plugin. Since 2.0 always `ok`."),
  ),
})

const noStore = { "cache-control": "no-store" }

/** Liveness and readiness of the process, for load balancers and orchestrators. */
export default definePlugin({
  apiVersion: 3,
  name: "health",
  summary: "Liveness and readiness",
  settings: v.strictObject({}),
  mount: () => ({
    prefix: "",
    routes: [
      handler("GET", "/livez", {
        auth: anyone,
        quiet: true,
        // A restart of the process does not help if the database is down.
        handle: () => respondJson({ live: true }, { headers: noStore }),
        describe: {
          summary: "Liveness",
          description: "The process responds. Nothing else is checked.",
          answers: { 200: v.strictObject({ live: v.literal(true) }) },
          headers: ["Cache-Control"],
        },
      }),
      handler("GET", "/readyz", {
        auth: anyone,
        quiet: true,
        needs: ["readiness"],
        handle: ready,
        describe: {
          summary: "Readiness",
          description:
            "A database server can answer, no migration is missing, and the process is not about to stop.",
          answers: { 200: readiness },
          headers: ["Cache-Control"],
          problems: { unavailable: "Not ready: the database does not respond." },
        },
      }),
    ],
  }),
})

async function ready({ host }: HandlerContext<"readiness">): Promise<Response> {
  const state = await host.readiness()
  if (state.ready) return respondJson(state, { headers: noStore })
  const reasons = [
    ...state.draining ? ["the process is about to end"] : [],
    ...state.database === "away" ? ["the database does not respond"] : [],
    ...state.primary === "cut off"
      ? ["the primary of the database takes writes, and this process cannot reach it"]
      : [],
    ...state.migrations === "pending" ? ["migrations are pending"] : [],
    ...state.missingTable ? [`the table ${state.missingTable} is missing`] : [],
  ]
  const reason = reasons.join("; ") || "requests cannot be recorded, which audit.required demands"
  throw new Problem("unavailable", `Not ready: ${reason}.`, { headers: { "retry-after": "1" } })
}
