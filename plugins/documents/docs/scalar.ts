import plugin from "@scalar/fastify-api-reference"

/**
 * Returns the script of Scalar, which renders the reference. Only a Fastify plugin publishes it without 250
 * dependencies, so this passes the plugin a fake instance that captures the response of the script's route. Developers
 * install the plugin; the service's package contains the script as a file.
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

/** The part of a Fastify route used here. */
interface Route {
  readonly url: string
  handler(request: unknown, reply: unknown): unknown
}
