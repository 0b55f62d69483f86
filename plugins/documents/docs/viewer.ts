import { type ServedFile, servedFile } from "../../../core/plugin.ts"

/** The part of a Fastify plugin that is used here. */
type Register = (
  instance: Instance,
  options: { readonly configuration: { readonly url: string } },
  done: () => void,
) => void

interface Instance {
  readonly hasPlugin: (name: string) => boolean
  route(route: { readonly url: string; handler(request: unknown, reply: Reply): unknown }): void
}

interface Reply {
  header(name: string, value: string): Reply
  send(body: string): void
}

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
  const { default: register } = await import("@scalar/fastify-api-reference")
  let script: string | undefined
  const reply: Reply = { header: () => reply, send: (body) => void (script = body) }
  const instance: Instance = {
    hasPlugin: () => false,
    route: ({ url, handler }) => url.endsWith(".js") && handler({}, reply),
  }
  ;(register as unknown as Register)(
    instance,
    { configuration: { url: "/openapi.json" } },
    () => {},
  )
  if (script === undefined) throw new Error("the package of the viewer has no script")
  return script
}
