import { setTimeout } from "node:timers/promises"
import { type Listening, serve } from "../http/serve.ts"
import type { Service } from "./service.ts"

/** Milliseconds that busy connections get for their last response before all are closed. */
const grace = 250

/** Listens on the configured address. @throws {Error} if that is not possible. */
export async function startListening(service: Service): Promise<Listening> {
  const { host, port, publicUrl, host_names: hosts, connections, trust_proxy: trustProxy } =
    service.instance.config.server
  const { reuse_port: reusePort } = service.instance.config.server
  try {
    return await serve(service.answer, {
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
      `Cannot listen on ${host}:${port}: another program already does (EADDRINUSE). Nothing is ` +
        `served. End that program, or change server.port.`,
      { cause: error },
    )
  }
}

/**
 * Stops listening, after the running requests. First the service reports that it is not ready, for
 * `server.drain` seconds, so that load balancers learn of it before connections are refused. Until then
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
