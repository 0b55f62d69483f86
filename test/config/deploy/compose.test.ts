import { settingsOf } from "../../../core/kernel/capability.ts"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import t from "tap"
import { parse } from "yaml"
import { readPlan } from "../../../core/routes/plan.ts"
import { secret } from "../../support/app.ts"
import { credentialsFolder } from "../../support/containers/credentials.ts"

const folder = "config/deploy"
const read = (file: string) => parse(readFileSync(join(folder, file), "utf8"), { merge: true })
// deno-lint-ignore no-explicit-any
type Any = any
const { services, volumes }: Any = read("compose.yaml")

t.test("compose.yaml publishes ports on 127.0.0.1 only, and gives no container rights", (t) => {
  const published = Object.values<Any>(services).flatMap(({ ports = [] }) => ports)
  t.equal(published.length, 3)
  for (const port of published) t.match(port, /^127\.0\.0\.1:\$\{[A-Z_]+:-\d+\}:\d+$/)
  for (const [name, service] of Object.entries<Any>(services)) {
    t.equal(service.read_only, true, name)
    t.strictSame(service.cap_drop, ["ALL"], name)
    t.strictSame(service.security_opt, ["no-new-privileges:true"], name)
    t.notOk(service.privileged || service.network_mode === "host", name)
    const isDone = service.restart === "on-failure"
    t.equal(service.healthcheck.disable === true, isDone, "what stays has a check of its health")
  }
  const extra = Object.entries<Any>(services).filter(([, { cap_add }]) => cap_add)
  t.strictSame(extra.map(([name, { cap_add }]) => [name, cap_add]), [["secrets", ["CHOWN"]]])
  t.end()
})

t.test("compose.yaml has no secret, and mounts only files that are there", (t) => {
  for (const [name, { environment = {} }] of Object.entries<Any>(services)) {
    const secrets = Object.entries<string>(environment)
      .filter(([variable]) => /PASSWORD|SECRET|TOKEN/.test(variable))
    for (const [variable, value] of secrets) {
      t.match(variable, /_FILE$/, name)
      t.match(value, /^\/run\/secrets\//, name)
    }
  }
  const mounts = Object.values<Any>(services).flatMap(({ volumes = [] }) => volumes as string[])
  t.ok(mounts.length > 10)
  for (const [source = "", , options] of mounts.map((mount) => mount.split(":"))) {
    if (!source.startsWith(".")) t.ok(source in volumes, source)
    else t.ok(existsSync(join(folder, source)) && options === "ro", source)
  }
  t.end()
})

t.test("the configuration in compose.yaml is valid and live, and ends within its grace", async (t) => {
  const credentials = credentialsFolder(t, {
    "session-secret": secret,
    "database-url": "mysql://event_export:password@mysql:3306/event_export?ssl=required",
  })
  const plan = await readPlan(join(folder, "compose/event-export/event-export.yaml"), {
    CREDENTIALS_DIRECTORY: credentials,
    PUBLISHED_PORT: "18080",
  })
  for (const name of ["migrate", "event-export"]) {
    const { environment, volumes } = services[name]
    t.ok(volumes.includes(`credentials:${environment.CREDENTIALS_DIRECTORY}:ro`), name)
  }
  const demonstration = settingsOf<{ readonly module: string }>(plan, "demonstration")
  t.match(demonstration, { live: true, local: true })
  t.equal(plan.server.publicUrl, "http://127.0.0.1:18080")
  const [, published = ""] = /:(\d+)$/.exec(services["event-export"].ports[0]) ?? []
  t.equal(plan.server.port, Number(published))
  const grace = parseInt(services["event-export"].stop_grace_period)
  t.ok(grace > plan.server.drain + plan.server.time_limit)

  t.ok(existsSync(demonstration.module.replace("/app/dist/", "").replace(/\.js$/, ".ts")))
})
