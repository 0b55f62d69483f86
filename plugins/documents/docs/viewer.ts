import { type ServedFile, servedFile } from "../../../core/plugin.ts"

let loading: Promise<ServedFile> | undefined

/** Returns the script of the reference, 4 MB. The first call creates it. */
export function viewer(): Promise<ServedFile> {
  return loading ??= loadScript().then((script) => servedFile(script, "text/javascript"))
}

/**
 * Reads the script. Scalar publishes it only in this package, a Fastify plugin. So this passes the
 * plugin an instance that keeps the response of the script's route. The other package that contains
 * the script has 250 dependencies.
 */
async function loadScript(): Promise<string> {
  const { default: plugin } = await import("@scalar/fastify-api-reference")
  const register = plugin as unknown as (...args: readonly unknown[]) => void
  let script: string | undefined
  const reply = { header: () => reply, send: (body: string) => void (script = body) }
  const instance = {
    hasPlugin: () => false,
    route: ({ url, handler }: Route) => url.endsWith(".js") && handler({}, reply),
  }
  register(instance, { configuration: { url: "/openapi.json" } }, () => {})
  if (script === undefined) throw new Error("the package of the viewer has no script")
  return script
}

/** What is used of a route of Fastify. */
interface Route {
  readonly url: string
  handler(request: unknown, reply: unknown): unknown
}
