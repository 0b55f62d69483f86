import { toJsonSchema } from "@valibot/to-json-schema"
import type { GenericSchema } from "valibot"
import {
  capabilityNames,
  loadAllCapabilities,
  loadPlugin,
  pluginFolder,
  pluginNames,
  settingsWith,
} from "../../../core/inspection.ts"

type Json = Record<string, unknown>

/**
 * Returns a JSON Schema of the whole configuration: the service's settings, and under `plugins`
 * those of each plugin in the plugin folder. Editors complete and check settings with it. What JSON
 * Schema cannot express is checked when the service starts.
 *
 * @throws {Error} if one of these plugins does not load.
 */
export async function configJsonSchema(): Promise<Json> {
  const capabilities = await loadAllCapabilities()
  const schema = convert(settingsWith(capabilities))
  hide(schema, unshownSettings(capabilities))
  const properties = schema["properties"] as { capabilities: Json; plugins: Json }
  properties.capabilities["items"] = { enum: capabilityNames() }
  const entry = properties.plugins["items"] as { properties: Json }
  const names = pluginNames()
  const known = await Promise.all(names.map(async (name) => {
    const plugin = await loadPlugin(name, pluginFolder).catch((error: Error) => {
      throw new Error(`cannot use plugin ${name}: ${error.message}`, { cause: error })
    })
    return {
      ...entry,
      description: plugin.summary,
      properties: {
        ...entry.properties,
        use: { const: name },
        ...(plugin.extends ? { with: false } : { with: convert(plugin.settings) }),
      },
    }
  }))
  const elsewhere = {
    ...entry,
    description: "A plugin from a path, or from an installed package",
    properties: { ...entry.properties, use: { type: "string", not: { enum: names } } },
  }
  properties.plugins["items"] = { anyOf: [...known, elsewhere] }
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "The configuration of event-export",
    ...schema,
  }
}

/** Returns the settings that no document shows, by their whole paths. */
export function unshownSettings(capabilities: Awaited<ReturnType<typeof loadAllCapabilities>>) {
  return [
    ...["server.time_limit", "database.time_limit"],
    ...capabilities.flatMap(({ settings }) =>
      (settings?.unshown ?? []).map((name) => `${settings?.group}.${name}`)
    ),
  ]
}

function convert(schema: GenericSchema): Json {
  const { $schema: _, ...rest } = toJsonSchema(schema as never, {
    errorMode: "ignore",
    typeMode: "input",
  }) as Json
  return withReferences(rest) as Json
}

/** Removes settings from a JSON Schema of the configuration. */
function hide(schema: unknown, settings: readonly string[]): void {
  for (const path of settings) {
    const names = path.split(".")
    const group = names.slice(0, -1).reduce<SchemaOfGroup | undefined>(
      (outer, name) => outer?.properties?.[name],
      schema as SchemaOfGroup,
    )
    delete group?.properties?.[names.at(-1) ?? ""]
  }
}

interface SchemaOfGroup {
  readonly properties?: Record<string, SchemaOfGroup>
  readonly additionalProperties?: SchemaOfGroup
}

/** Allows a reference such as `${NAME}` in place of a number or a boolean. */
function withReferences(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withReferences)
  if (typeof schema !== "object" || schema === null) return schema
  const inside = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, withReferences(value)]),
  )
  const { type } = schema as { type?: unknown }
  return type === "integer" || type === "number" || type === "boolean"
    ? { anyOf: [inside, { type: "string", pattern: "^\\$\\{[A-Za-z_]\\w*(:-[^}]*)?\\}$" }] }
    : inside
}
