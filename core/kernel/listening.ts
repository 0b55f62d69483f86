import { setTimeout } from "node:timers/promises"
import { UserError } from "../errors.ts"
import { httpUrl } from "../http/server-address.ts"
import { type HttpServer, serve } from "../http/serve.ts"
import type { Service } from "./service.ts"

/** Milliseconds that busy connections get for their last response before all are closed. */
const grace = 250

/** Listens on the configured address. @throws {UserError} if it cannot. */
export async function startListening(service: Service): Promise<HttpServer> {
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
      longestBody: (method, path) => service.instance.longestBody(method, path),
      log: service.log,
      onRefuse: (code) => service.tell({ kind: "refused", code }),
      onLimit: (limit) => service.tell({ kind: "refused connection", limit }),
    })
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException
    const { reason, advice } = obstacles[code] ?? { reason: message, advice: "" }
    throw new UserError(
      `Cannot listen on ${httpUrl(host, port)}: ${reason} (${code}). Nothing is served. ${advice}`
        .trim(),
      { cause: error },
    )
  }
}

/** Why a server cannot listen and what to do, by the code of the system's error. */
const obstacles: Readonly<Record<string, { readonly reason: string; readonly advice: string }>> = {
  EADDRINUSE: {
    reason: "another program already does",
    advice: "End that program, or change server.port.",
  },
  EADDRNOTAVAIL: {
    reason: "this machine does not have that address",
    advice: "Set server.host to one of its own, such as 127.0.0.1, or 0.0.0.0 for all of them.",
  },
  EACCES: {
    reason: "this user may not use the port",
    advice: "Set server.port to 1024 or more, and let a reverse proxy listen on the port.",
  },
  ...Object.fromEntries(["ENOTFOUND", "EAI_AGAIN"].map((code) => [code, {
    reason: "no address is known for that name",
    advice: "Set server.host to an address of this machine, such as 127.0.0.1.",
  }])),
}

/**
 * Stops listening, after the running requests. First the service reports that it is not ready, for
 * `server.drain` seconds, so that load balancers notice before connections are refused. Until then
 * each response on a connection in use closes that connection: a client whose connection is cut could
 * not tell whether its next request was processed.
 */
export async function stopListening(service: Service, listening: HttpServer): Promise<void> {
  const { drain } = service.instance.config.server
  service.drain()
  listening.dismiss()
  await setTimeout(Math.max(drain * 1000, grace))
  await listening.close()
}
