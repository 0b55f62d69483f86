import * as v from "valibot"
import {
  anyone,
  definePlugin,
  handler,
  type HandlerContext,
  Problem,
  respondJson,
} from "../../core/plugin.ts"

const readiness = v.strictObject({
  ready: v.literal(true),
  draining: v.literal(false),
  database: v.literal("ok"),
  migrations: v.literal("ok"),
  config: v.pipe(
    v.picklist(["ok", "refused"]),
    v.description("Whether the last change of the configuration was refused."),
  ),
  families: v.pipe(
    v.record(v.string(), v.picklist(["ok", "failed"])),
    v.description("By plugin; one that failed is optional."),
  ),
})

const never = { "cache-control": "no-store" }

/** Whether the process lives, and whether it can answer: for load balancers and orchestrators. */
export default definePlugin({
  apiVersion: 2,
  name: "health",
  summary: "Whether the process lives, and whether it can answer",
  settings: v.strictObject({}),
  mount: () => ({
    prefix: "",
    routes: [
      handler("GET", "/livez", {
        auth: anyone,
        quiet: true,
        handle: live,
        describe: {
          summary: "Whether the process lives",
          description: "The process answers; nothing else is looked at.",
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
          summary: "Whether the service can answer",
          description:
            "The database answers, its migrations are there, and the process is not about to end.",
          answers: { 200: readiness },
          headers: ["Cache-Control"],
          problems: { unavailable: "Not ready: the database does not answer." },
        },
      }),
    ],
  }),
})

/** Asks nobody: a database that is away is no reason to start the process again. */
function live(): Response {
  return respondJson({ live: true }, { headers: never })
}

async function ready({ host }: HandlerContext<"readiness">): Promise<Response> {
  const state = await host.readiness()
  if (state.ready) return respondJson(state, { headers: never })
  const reasons = [
    ...state.draining ? ["the process is about to end"] : [],
    ...state.database === "away" ? ["the database does not answer"] : [],
    ...state.migrations === "pending" ? ["migrations are pending"] : [],
  ]
  throw new Problem("unavailable", `Not ready: ${reasons.join("; ")}.`, {
    headers: { "retry-after": "1" },
  })
}
