import { type Json, type Place, resolve, schemaChanges } from "./schema-changes.ts"

const methods = ["get", "post", "put", "patch", "delete"] as const

/** Two parts of two documents. */
interface Pair {
  readonly was: Place
  readonly is: Place
}

/**
 * Returns what breaks clients of an OpenAPI document, a sentence each: what is gone or narrower in responses, what is
 * new and required in requests. An operation that was deprecated may be gone.
 */
export function documentChanges(before: Json, now: Json): string[] {
  const pathsOf = (document: Json) => (document["paths"] ?? {}) as Readonly<Record<string, Json>>
  return Object.entries(pathsOf(before)).flatMap(([path, item]) =>
    methods.filter((method) => item[method] !== undefined).flatMap((method) => {
      const was = { document: before, schema: item[method] }
      const is = { document: now, schema: pathsOf(now)[path]?.[method] }
      if (is.schema === undefined) {
        return resolve(was)["deprecated"] ? [] : [`${method} ${path} is gone`]
      }
      return operationChanges({ was, is }).map((change) => `${method} ${path}: ${change}`)
    })
  )
}

function operationChanges(pair: Pair): string[] {
  const { was, is } = resolved(pair)
  return [
    ...was["operationId"] === is["operationId"] ? [] : ["it has another operationId"],
    ...securityChanges(was, is),
    ...parameterChanges(pair),
    ...bodyChanges(pair),
    ...childrenOf(pair, "responses").flatMap(({ name, ...response }) =>
      response.is.schema === undefined
        ? [`status ${name} is gone`]
        : responseChanges(response).map((change) => `status ${name}: ${change}`)
    ),
  ]
}

function securityChanges(was: Json, is: Json): string[] {
  const waysOf = (operation: Json) =>
    ((operation["security"] ?? []) as readonly Json[]).map((way) => Object.keys(way).sort().join())
  const [before, now] = [waysOf(was), waysOf(is)]
  if (now.length === 0) return []
  if (before.length === 0) return ["it needs a session"]
  return before.filter((way) => !now.includes(way)).map((way) => `it does not take ${way}`)
}

function parameterChanges({ was, is }: Pair): string[] {
  const all = (place: Place) =>
    new Map(
      ((resolve(place)["parameters"] ?? []) as readonly unknown[]).map((schema) => {
        const parameter = resolve({ ...place, schema })
        return [`${parameter["in"]} ${parameter["name"]}`, parameter]
      }),
    )
  const [before, now] = [all(was), all(is)]
  return [
    ...[...before].flatMap(([name, parameter]) => {
      const present = now.get(name)
      if (!present) return [`${name} is gone`]
      const schemas = [{ ...was, schema: parameter["schema"] }, {
        ...is,
        schema: present["schema"],
      }]
      return schemaChanges(schemas[0] as Place, schemas[1] as Place, "request").map((change) =>
        `${name}: ${change}`
      )
    }),
    ...[...now].filter(([name, { required }]) => required && !before.get(name)?.["required"])
      .map(([name]) => `${name} is required`),
  ]
}

function bodyChanges({ was, is }: Pair): string[] {
  const body = { was: child(was, "requestBody"), is: child(is, "requestBody") }
  if (body.is.schema === undefined) return body.was.schema === undefined ? [] : ["it takes no body"]
  const required = ({ schema, ...rest }: Place) => resolve({ ...rest, schema })["required"] === true
  const isNew = required(body.is) && !(body.was.schema !== undefined && required(body.was))
  return [
    ...isNew ? ["a body is required"] : [],
    ...contentChanges(body, "request"),
  ]
}

function responseChanges(pair: Pair): string[] {
  return [
    ...childrenOf(pair, "headers").flatMap(({ name, was, is }) => {
      const [before, now] = [resolve(was), resolve(is)]
      if (is.schema === undefined) return [`the header ${name} is gone`]
      const mayMiss = before["required"] && !now["required"]
      const schemas = [{ ...was, schema: before["schema"] }, {
        ...is,
        schema: now["schema"],
      }] as const
      return [
        ...mayMiss ? [`the header ${name} may be missing`] : [],
        ...schemaChanges(...schemas, "response").map((change) => `the header ${name}: ${change}`),
      ]
    }),
    ...contentChanges(pair, "response"),
  ]
}

function contentChanges(pair: Pair, direction: "request" | "response"): string[] {
  return childrenOf(pair, "content").flatMap(({ name, was, is }) => {
    if (is.schema === undefined) return [`${name} is gone`]
    const [before, now] = [child(was, "schema"), child(is, "schema")]
    if (before.schema === undefined) return []
    return schemaChanges(before, now, direction).map((change) => `${name}: ${change}`)
  })
}

/** Returns what the older part has under a name, each with what the newer has there. */
function childrenOf(pair: Pair, name: string): (Pair & { readonly name: string })[] {
  const { was, is } = resolved(pair)
  const [before, now] = [was[name] ?? {}, is[name] ?? {}] as [Json, Json]
  return Object.keys(before).map((key) => ({
    name: key,
    was: { ...pair.was, schema: before[key] },
    is: { ...pair.is, schema: now[key] },
  }))
}

function child(place: Place, name: string): Place {
  return { ...place, schema: resolve(place)[name] }
}

function resolved({ was, is }: Pair): { readonly was: Json; readonly is: Json } {
  return { was: resolve(was), is: resolve(is) }
}
