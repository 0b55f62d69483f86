import plugin from "@scalar/fastify-api-reference"

/**
 * Returns the script of Scalar, which draws the reference. It is published only in this package, a Fastify plugin. So this
 * passes the plugin an instance that keeps the response of the script's route. The other package that contains the
 * script has 250 dependencies. Developers install it; the package has the script as a file.
 *
 * @throws {Error} if the package has no script.
 */
export function scalarScript(): string {
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
