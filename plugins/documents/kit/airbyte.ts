import { stringify } from "yaml"
import { eventId, type Family, type Field, type Kit, type List, type Table } from "./model.ts"

type Json = Readonly<Record<string, unknown>>

/**
 * Returns a low-code manifest of Airbyte for a family: a stream per kind of record, each read in full. Airbyte can keep
 * no state per event that begins anew for an event that it has not seen: it would begin at the newest of all events.
 */
export function airbyteManifest(family: Family, { server }: Kit): string {
  const lists = family.lists.filter(({ tables, deletes }) => tables.length > 0 && !deletes)
  const streams = lists.flatMap((list) => list.tables.map((table) => streamOf(list, table)))
  const manifest = {
    version: "6.0.0",
    type: "DeclarativeSource",
    check: { type: "CheckStream", stream_names: streams.slice(0, 1).map(({ name }) => name) },
    definitions: { requester: requesterTo(server) },
    streams,
    spec,
  }
  return `${about}${stringify(manifest, { lineWidth: 0, aliasDuplicateObjects: false })}`
}

const about = `# A source for Airbyte's connector builder: paste it as YAML, and give it a token.
#
# Sync every stream with "Full refresh | Overwrite": each sync reads all events that you may read now, and all records of
# an event in one response. So events that you get later are complete, and what was deleted is gone.
# A list that is too long for one response makes the sync fail with "division by zero", rather than lack the rest.

`

function requesterTo(server: string): Json {
  return {
    type: "HttpRequester",
    url_base: server,
    http_method: "GET",
    authenticator: { type: "BearerAuthenticator", api_token: "{{ config['token'] }}" },
  }
}

const backoff_strategies = [{ type: "WaitTimeFromHeader", header: "Retry-After" }]
const retry = { type: "HttpResponseFilter", action: "RETRY", http_codes: [429, 503] }
/** An event that may not be read any more since the events were listed. */
const ignore = { type: "HttpResponseFilter", action: "IGNORE", http_codes: [404] }

/** A stream of one kind of record. Those of events are exported event by event. */
function streamOf(list: List, table: Table) {
  const { name, fields } = table
  const hasEvent = !list.isOfEvent || fields.some(({ name }) => name === "eventId")
  return {
    type: "DeclarativeStream",
    name,
    primary_key: list.isOfEvent ? ["eventId", "id"] : ["id"],
    retriever: list.isOfEvent ? exportOf(list, table) : pagesOf(list),
    ...hasEvent ? {} : { transformations: [addEvent] },
    schema_loader: { type: "InlineSchemaLoader", schema: schemaOf(table, !hasEvent) },
  }
}

function pagesOf({ path }: List) {
  return {
    type: "SimpleRetriever",
    requester: {
      $ref: "#/definitions/requester",
      path,
      request_parameters: { since: "-1" },
      error_handler: {
        type: "DefaultErrorHandler",
        backoff_strategies,
        response_filters: [retry],
      },
    },
    record_selector: selector,
    paginator: {
      type: "DefaultPaginator",
      page_token_option: { type: "RequestPath" },
      pagination_strategy: {
        type: "CursorPagination",
        cursor_value: "{{ headers['link']['next']['url'] }}",
        stop_condition: "{{ 'next' not in headers['link'] }}",
      },
    },
  }
}

/**
 * Reads a list in one response. Its last line is no record; if that has the URL of a rest, the sync has to fail: Airbyte
 * has no paginator for lines of JSON.
 */
function exportOf({ path }: List, { part }: Table) {
  return {
    type: "SimpleRetriever",
    requester: {
      $ref: "#/definitions/requester",
      path: `${path.replace(":eventId", "{{ stream_partition.event_id }}")}/export`,
      request_parameters: { since: "-1", ...part === undefined ? {} : { category: part } },
      request_headers: { Accept: "application/x-ndjson" },
      error_handler: {
        type: "DefaultErrorHandler",
        backoff_strategies,
        response_filters: [retry, ignore],
      },
    },
    decoder: { type: "JsonlDecoder" },
    record_selector: {
      ...selector,
      record_filter: {
        type: "RecordFilter",
        condition:
          "{{ 'end' not in record or (record['end']['next'] is not none and 1 // 0 > 0) }}",
      },
    },
    partition_router: perEvent,
  }
}

const selector = {
  type: "RecordSelector",
  extractor: { type: "DpathExtractor", field_path: [] },
}

const perEvent = {
  type: "SubstreamPartitionRouter",
  parent_stream_configs: [{
    type: "ParentStreamConfig",
    stream: "#/streams/0",
    parent_key: "id",
    partition_field: "event_id",
  }],
}

const addEvent = {
  type: "AddFields",
  fields: [{
    type: "AddedFieldDefinition",
    path: ["eventId"],
    value: "{{ stream_partition.event_id }}",
  }],
}

function schemaOf({ fields }: Table, withEvent: boolean): Json {
  const all = withEvent ? [...fields, eventId] : fields
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    additionalProperties: true,
    properties: Object.fromEntries(all.map((field) => [field.name, propertyOf(field)])),
  }
}

const jsonTypes: Readonly<Record<Field["kind"], Json>> = {
  uuid: { type: "string", format: "uuid" },
  text: { type: "string" },
  integer: { type: "integer" },
  decimal: { type: "number" },
  flag: { type: "boolean" },
  json: { type: ["object", "array"] },
}

function propertyOf({ kind, isNullable, description }: Field): Json {
  const { type, ...rest } = jsonTypes[kind]
  return {
    type: isNullable ? [type, "null"].flat() : type,
    ...rest,
    ...description === "" ? {} : { description },
  }
}

const spec = {
  type: "Spec",
  connection_specification: {
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    required: ["token"],
    additionalProperties: true,
    properties: { token: { type: "string", title: "Token", airbyte_secret: true } },
  },
}
