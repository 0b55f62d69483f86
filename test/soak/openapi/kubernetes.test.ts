import { settingsOf } from "../../../core/kernel/capability.ts"
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { request } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { Deployment } from "kubernetes-models/apps/v1"
import { NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1"
import { PodDisruptionBudget } from "kubernetes-models/policy/v1"
import { ConfigMap, Service } from "kubernetes-models/v1"
import t, { type Test } from "tap"
import { parseAllDocuments } from "yaml"
import { readPlan } from "../../../core/routes/plan.ts"
import { secret } from "../../support/app.ts"
import { startProcess } from "../support/service-process.ts"
import { copiedUrl } from "../../support/database.ts"
import { compile } from "./compile.ts"

const text = readFileSync("config/deploy/kubernetes.yaml", "utf8")
// deno-lint-ignore no-explicit-any
type Any = any
const objects = parseAllDocuments(text).map((document) => document.toJS({ maxAliasCount: 50 }))
const ofKind = (kind: string): Any => objects.find((object: Any) => object.kind === kind)
const pod = ofKind("Deployment").spec.template.spec
const [container] = pod.containers
const [first] = pod.initContainers
const configuration: string = ofKind("ConfigMap").data["event-export.yaml"]

const models = { ConfigMap, Deployment, NetworkPolicy, PodDisruptionBudget, Service }

t.test("kubernetes.yaml has only fields and values of Kubernetes' own schema", async (t) => {
  for (const object of objects) {
    const Model: Any = models[object.kind as keyof typeof models]
    t.equal(Model?.apiVersion, object.apiVersion)
    t.doesNotThrow(() => new Model(object).validate(), object.kind)
  }
  // The validators let unknown fields pass, and the types do not.
  const constants = objects.map(({ apiVersion, kind, ...object }: Any, index) =>
    `import type { I${kind} as T${index} } from "kubernetes-models/${apiVersion}"
export const v${index}: T${index} = ${JSON.stringify({ apiVersion, kind, ...object }, null, 1)}
`
  )
  await t.resolves(compile(t, { "manifest.ts": constants.join("") }))
})

t.test("kubernetes.yaml meets the restricted pod security standard", (t) => {
  t.match(pod.securityContext, { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } })
  for (const { name, securityContext } of [container, first]) {
    t.match(securityContext, {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["ALL"] },
      readOnlyRootFilesystem: true,
    }, name)
  }
  for (const volume of pod.volumes) t.notOk(volume.hostPath)
  t.notOk(pod.hostNetwork || pod.hostPID || pod.hostIPC)
  t.end()
})

t.test("the configuration of kubernetes.yaml is valid, and agrees with the pod", async (t) => {
  const { folder, environment } = await mounts(t, configuration)
  const plan = await readPlan(join(folder, "event-export.yaml"), environment)
  t.equal(plan.server.port, container.ports.find(({ name }: Any) => name === "http").containerPort)
  t.equal(
    settingsOf<{ readonly port: number }>(plan, "metrics").port,
    container.ports.find(({ name }: Any) => name === "metrics").containerPort,
  )
  t.equal(plan.watch, true)
  t.equal(settingsOf(plan, "demonstration"), undefined)
  const longest = plan.server.drain + plan.server.time_limit
  t.ok(pod.terminationGracePeriodSeconds > longest, "the kubelet waits for drain and requests")
  const { periodSeconds, failureThreshold } = container.readinessProbe
  t.ok(
    plan.server.drain >= periodSeconds * failureThreshold,
    "the readiness probe fails meanwhile",
  )
})

t.test("a pod answers the probes, and applies the swap of the ConfigMap's folder", async (t) => {
  // Loopback and free ports, else as it is.
  const local = configuration.replaceAll("host: 0.0.0.0", "host: 127.0.0.1")
    .replaceAll(/port: \d+/g, "port: 0").replace("drain: 15", "drain: 0")
  const { folder, environment, swap } = await mounts(t, local)
  const { url, entries } = await startProcess(t, "node", {
    ...environment,
    CONFIG: join(folder, "event-export.yaml"),
  })
  for (const probe of ["startupProbe", "readinessProbe", "livenessProbe"]) {
    // The kubelet sends the address of the pod as Host.
    t.equal(await statusOf(url + container[probe].httpGet.path, { host: "10.1.2.3" }), 200, probe)
  }
  swap(local.replace("drain: 0", "drain: 1"))
  const applied = () => entries.filter(({ msg }) => msg === "configuration applied")
  while (applied().length === 0) await setTimeout(50)
  t.match(applied(), [{ trigger: "a change of the file" }])
})

/** Creates folders as the kubelet mounts a ConfigMap and a Secret: links to links to files. */
async function mounts(t: Test, text: string) {
  const root = mkdtempSync(join(tmpdir(), "event-export-"))
  t.teardown(() => rmSync(root, { recursive: true }))
  const databaseUrl = await copiedUrl(t, "sqlite")
  const folder = join(root, "config")
  const credentials = join(root, "credentials")
  for (const each of [folder, credentials]) mkdirSync(each)
  let writes = 0
  const write = (folder: string, files: Readonly<Record<string, string>>) => {
    const data = `..data_${++writes}`
    mkdirSync(join(folder, data))
    for (const [name, content] of Object.entries(files)) {
      writeFileSync(join(folder, data, name), content)
      chmodSync(join(folder, data, name), pod.volumes[1].secret.defaultMode)
    }
    // The swap: one rename, after which all files are the new ones.
    symlinkSync(data, join(folder, "..data_tmp"))
    renameSync(join(folder, "..data_tmp"), join(folder, "..data"))
    if (writes > 2) return
    for (const name of Object.keys(files)) symlinkSync(`..data/${name}`, join(folder, name))
  }
  write(folder, { "event-export.yaml": text })
  write(credentials, { "session-secret": secret, "database-url": databaseUrl })
  const environment = { CREDENTIALS_DIRECTORY: credentials }
  return {
    folder,
    environment,
    swap: (text: string) => write(folder, { "event-export.yaml": text }),
  }
}

/** Returns the status of a request with headers that `fetch` does not let set. */
function statusOf(url: string, headers: Readonly<Record<string, string>>): Promise<number> {
  return new Promise((resolve, reject) => {
    request(url, { headers, agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    }).once("error", reject).end()
  })
}
