import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import process from "node:process"
import { promisify } from "node:util"
import { Deployment } from "kubernetes-models/apps/v1"
import { NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1"
import { PodDisruptionBudget } from "kubernetes-models/policy/v1"
import { ConfigMap, Service } from "kubernetes-models/v1"

const run = promisify(execFile)

/** An object of a manifest. */
export interface Manifest {
  readonly apiVersion: string
  readonly kind: string
}

const models = { ConfigMap, Deployment, NetworkPolicy, PodDisruptionBudget, Service }

/**
 * Returns what is wrong with the objects of a manifest by the schema of Kubernetes: wrong values, which its validators
 * find, and unknown fields, which the compiler finds with its types.
 */
export async function problemsOfManifest(objects: readonly Manifest[]): Promise<string[]> {
  const wrong = objects.flatMap((object) => {
    const Model = models[object.kind as keyof typeof models]
    if (!Model || Model.apiVersion !== object.apiVersion) {
      return [`${object.apiVersion} ${object.kind} is unknown here`]
    }
    try {
      new Model(object as never).validate()
      return []
    } catch (error) {
      return [`${object.kind}: ${(error as Error).message}`]
    }
  })
  return wrong.length > 0 ? wrong : await unknownFields(objects)
}

async function unknownFields(objects: readonly Manifest[]): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "event-export-"))
  try {
    symlinkSync(resolve(import.meta.dirname, "node_modules"), join(folder, "node_modules"))
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }')
    const constants = objects.map((object, index) =>
      `import type { I${object.kind} as T${index} } from "kubernetes-models/${object.apiVersion}"
export const v${index}: T${index} = ${JSON.stringify(object, null, 1)}
`
    )
    writeFileSync(join(folder, "manifest.ts"), constants.join(""))
    const options = "--noEmit --strict --skipLibCheck --module nodenext --types".split(" ")
    const compiler = [process.execPath, resolve("node_modules/.bin/tsc"), ...options, ""]
    // tap loads its own code into each process by this variable.
    await run("env", ["-u", "NODE_OPTIONS", ...compiler, "manifest.ts"], { cwd: folder })
    return []
  } catch (error) {
    const { stdout, message } = error as { stdout?: string; message: string }
    return [stdout || message]
  } finally {
    rmSync(folder, { recursive: true })
  }
}
