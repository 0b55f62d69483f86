import type { Test } from "tap"
import { Sessions } from "../../../core/access/sessions.ts"
import { createLog } from "../../../core/log.ts"
import { serve } from "../../../core/http/serve.ts"
import type { MountedRoute } from "../../../core/routes/contract.ts"
import { isDescribed } from "../../../plugins/documents/openapi/selection.ts"
import type { Json } from "../../../plugins/documents/openapi/schemas.ts"
import { Service } from "../../../core/kernel/service.ts"
import { freshWorkshop, type Workshop } from "../../support/service.ts"
import { fillWithExamples } from "./example-rows.ts"

/** A service that listens on loopback. */
export interface TestServer {
  readonly url: string
  readonly service: Service
}

/** A database with the records of the examples and accounts for all policies, and services on it. */
export interface Stage {
  readonly workshop: Workshop
  readonly routes: readonly MountedRoute[]
  readonly document: Json
  /** The server with limits that no test reaches. */
  readonly usual: TestServer
  /** The id of an event of an organization without families; `partner` may read it. */
  readonly elsewhere: string
  /** Returns a `Cookie` header with a new session. */
  cookie(username: string): Promise<string>
  /** Starts another service on the same database, with other settings. */
  open(settings: string): Promise<TestServer>
}

/** All families of the repository. */
const plugins = `
  - use: openapi
  - use: health
  - use: docs
  - use: custom-export
    with: { customers: [{ namespace: north, organization: north, service_user: north-export }] }
  - use: connector-a
    with: { segment: connector-a, organizations: [north] }
  - use: connector-b
    with: { segment: connector-b, organizations: [north] }`

const generous = "limits: { burst: 100000, quota: 1000000, concurrent: 4 }"

/** Fills a database with the examples, and serves it on loopback until the end of the test. */
export async function openStage(t: Test): Promise<Stage> {
  const workshop = await freshWorkshop(t)
  const { build, database } = workshop
  const elsewhere = await build.event(await build.organization("elsewhere"))
  const accounts = new Map<string, string>()
  const north = await build.organization("north")
  for (const name of ["partner", "stranger", "north-export", "operator"] as const) {
    const role = name === "operator" ? name : name === "north-export" ? "service" : "partner"
    accounts.set(name, await build.account(name, role))
  }
  for (const name of ["partner", "north-export"]) {
    await build.grant(name, { organization: "north" })
    await build.grant(name, { organization: "elsewhere" })
  }
  await fillWithExamples(database, north)

  const open = async (settings: string): Promise<TestServer> => {
    workshop.write(plugins, settings)
    const log = createLog("silent", { write: () => {} })
    const service = await Service.start(workshop.file, { environment: {}, log: () => log })
    t.teardown(() => service.close())
    const { url, close } = await serve(service.answer, {
      host: "127.0.0.1",
      port: 0,
      publicUrl: undefined,
      log,
    })
    t.teardown(close)
    return { url, service }
  }
  const usual = await open(generous)
  const { config } = usual.service.instance
  const sessions = new Sessions(database, { ...config.session, secure: false })
  const cookie = async (username: string) => {
    const { cookie: header } = await sessions.open({ id: accounts.get(username) ?? "", epoch: 0 })
    return header.split(";", 1).join()
  }
  const response = await fetch(`${usual.url}/openapi.json`, {
    headers: { cookie: await cookie("operator") },
  })
  const document = await response.json()
  const routes = config.routes.filter(isDescribed)
  return { workshop, routes, document, usual, elsewhere, cookie, open }
}
