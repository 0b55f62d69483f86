import { setTimeout } from "node:timers/promises"
import { type Listening, serve } from "../http/serve.ts"
import type { Service } from "./server.ts"

/** Milliseconds between the last answers of busy connections and the end of all connections. */
const grace = 250

/** Listens where a service's configuration says. @throws {Error} when the address cannot be had. */
export async function beginToListen(service: Service): Promise<Listening> {
  const { host, port, publicUrl, host_names: hosts, connections, trust_proxy: trustProxy } =
    service.kernel.config.server
  const { reuse_port: reusePort } = service.kernel.config.server
  try {
    return await serve(service.fetch, {
      host,
      port,
      reusePort,
      publicUrl,
      trustProxy,
      hosts,
      limits: { connections },
      log: service.log,
      onRefuse: (code) => service.metrics?.refuse(code),
    })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error
    throw new Error(
      `Cannot listen on ${host}:${port}: another program does (EADDRINUSE). Nothing is served. ` +
        `End that program, or change server.port.`,
      { cause: error },
    )
  }
}

/**
 * Stops listening, after the requests that are being answered: `server.drain` seconds after the
 * service begins to say that it is not ready, so that load balancers can ask before they are refused.
 * Until then connections that are in use end with an answer that says so: a client that sent its next
 * request to one that is cut off could not tell whether it was answered.
 */
export async function endListening(service: Service, listening: Listening): Promise<void> {
  const { drain } = service.kernel.config.server
  service.drain()
  listening.dismiss()
  await setTimeout(Math.max(drain * 1000, grace))
  await listening.close()
}
