import { setTimeout } from "node:timers/promises"
import { type Listening, serve } from "../http/serve.ts"
import type { Service } from "./service.ts"

/** Milliseconds that busy connections get for their last response before all are closed. */
const grace = 250

/** Listens on the configured address. @throws {Error} if it cannot. */
export async function startListening(service: Service): Promise<Listening> {
  const { server } = service.instance.config
  const { host, port, publicUrl } = server
  try {
    return await serve(service.answer, {
      host,
      port,
      reusePort: server.reuse_port,
      publicUrl,
      trustProxy: server.trust_proxy,
      hosts: server.host_names,
      limits: { connections: server.connections },
      log: service.log,
      onRefuse: (code) => service.metrics?.refuse(code),
    })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error
    throw new Error(
      `Cannot listen on ${host}:${port}: another program already does (EADDRINUSE). Nothing is ` +
        `served. End that program, or change server.port.`,
      { cause: error },
    )
  }
}

/**
 * Stops listening, after the running requests. First the service reports that it is not ready, for
 * `server.drain` seconds, so that load balancers notice before connections are refused. Until then
 * each response on a connection in use closes that connection: a client whose connection is cut could
 * not tell whether its next request was processed.
 */
export async function stopListening(service: Service, listening: Listening): Promise<void> {
  const { drain } = service.instance.config.server
  service.drain()
  listening.dismiss()
  await setTimeout(Math.max(drain * 1000, grace))
  await listening.close()
}
