import { stringify } from "yaml"
import { eventId, type Family, type Field, type Kit, type List, type Table } from "./model.ts"

type Json = Readonly<Record<string, unknown>>

/** Where a stream begins, in Unix seconds. Deletions take only their default for all that are known. */
const beginnings = { updated: "0", deleted: "1606062358" }

/**
 * Returns a low-code manifest of Airbyte for a family: a stream per list. Airbyte keeps the largest `updated` as its
 * state and cannot keep `Next-Since`, so it reads the last ten minutes again each time.
 */
export function airbyteManifest(family: Family, { server, username }: Kit): string {
  const events = family.lists.find(({ isOfEvent, tables }) => !isOfEvent && tables.length > 0)
  const lists = family.lists.filter(({ tables }) => tables.length > 0)
  const streams = lists.flatMap((list) =>
    list.tables.map((table) => streamOf(list, { table, events: events?.tables[0]?.name }))
  )
  const manifest = {
    version: "6.0.0",
    type: "DeclarativeSource",
    check: { type: "CheckStream", stream_names: streams.slice(0, 1).map(({ name }) => name) },
    definitions: { requester: requesterTo(server), paginator, ...errorsOf },
    streams,
    spec: specFor(username),
  }
  return `${about}${stringify(manifest, { lineWidth: 0, aliasDuplicateObjects: false })}`
}

const about =
  `# A source for Airbyte's connector builder: paste it as YAML, and give it your name and password, or a token.
#
# Streams are incremental by "updated" and read the last ten minutes again, because Airbyte cannot keep the header
# Next-Since: records arrive again and replace those with the same key. A transaction of the organizer that takes longer
# than that can be missed: make a full refresh from time to time, or compare with the digest.
# Streams of deletions have the ids that are gone. If one fails with 410, deletions are not known that far back: reset
# it together with the stream that it belongs to, and refresh both in full.

`

function requesterTo(server: string): Json {
  return {
    type: "HttpRequester",
    url_base: server,
    http_method: "GET",
    authenticator: {
      type: "SelectiveAuthenticator",
      authenticator_selection_path: ["credentials", "type"],
      authenticators: {
        password: {
          type: "SessionTokenAuthenticator",
          login_requester: {
            type: "HttpRequester",
            url_base: server,
            path: "/session",
            http_method: "POST",
            authenticator: { type: "NoAuth" },
            request_headers: { Prefer: "return=representation" },
            request_body_json: {
              username: "{{ config['credentials']['username'] }}",
              password: "{{ config['credentials']['password'] }}",
            },
          },
          session_token_path: ["token"],
          expiration_duration: "PT1H",
          request_authentication: { type: "Bearer" },
        },
        token: { type: "BearerAuthenticator", api_token: "{{ config['credentials']['token'] }}" },
      },
    },
    error_handler: { $ref: "#/definitions/error_handler" },
  }
}

/** `Link` is there exactly if there is another page. */
const paginator = {
  type: "DefaultPaginator",
  page_token_option: { type: "RequestPath" },
  pagination_strategy: {
    type: "CursorPagination",
    cursor_value: "{{ headers['link']['next']['url'] }}",
    stop_condition: "{{ 'next' not in headers['link'] }}",
  },
}

const errorsOf = {
  error_handler: {
    type: "DefaultErrorHandler",
    backoff_strategies: [{ type: "WaitTimeFromHeader", header: "Retry-After" }],
    response_filters: [
      { type: "HttpResponseFilter", action: "RETRY", http_codes: [429, 503] },
      {
        type: "HttpResponseFilter",
        action: "FAIL",
        http_codes: [410],
        error_message: "Deletions are not known that far back: refresh the stream in full.",
      },
    ],
  },
}

/** A stream of one kind of record. Lists of events are read for each event. */
function streamOf(
  list: List,
  { table, events }: { readonly table: Table; readonly events: string | undefined },
) {
  const isOfEvent = list.isOfEvent && events !== undefined
  const time = list.deletes === undefined ? "updated" : "deleted"
  const hasEvent = table.fields.some(({ name }) => name === "eventId")
  return {
    type: "DeclarativeStream",
    name: table.name,
    primary_key: isOfEvent ? ["eventId", "id"] : ["id"],
    retriever: {
      type: "SimpleRetriever",
      requester: {
        $ref: "#/definitions/requester",
        path: list.path.replace(":eventId", "{{ stream_partition.event_id }}"),
        ...table.part === undefined ? {} : { request_parameters: { category: table.part } },
      },
      record_selector: {
        type: "RecordSelector",
        extractor: {
          type: "DpathExtractor",
          field_path: table.part === undefined ? [] : [table.part],
        },
      },
      paginator: { $ref: "#/definitions/paginator" },
      ...isOfEvent ? { partition_router: perEvent(events) } : {},
    },
    incremental_sync: {
      type: "DatetimeBasedCursor",
      cursor_field: time,
      datetime_format: "%s",
      start_datetime: {
        type: "MinMaxDatetime",
        datetime: beginnings[time],
        datetime_format: "%s",
      },
      start_time_option: {
        type: "RequestOption",
        inject_into: "request_parameter",
        field_name: "since",
      },
      lookback_window: "PT10M",
    },
    ...isOfEvent && !hasEvent ? { transformations: [addEvent] } : {},
    schema_loader: { type: "InlineSchemaLoader", schema: schemaOf(table, isOfEvent && !hasEvent) },
  }
}

function perEvent(events: string) {
  return {
    type: "SubstreamPartitionRouter",
    parent_stream_configs: [{
      type: "ParentStreamConfig",
      stream: `#/streams/0`,
      parent_key: "id",
      partition_field: `${events}_id`,
    }],
  }
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

function specFor(username: string): Json {
  const choice = (type: string, title: string, properties: Json) => ({
    type: "object",
    title,
    required: ["type", ...Object.keys(properties)],
    properties: { type: { type: "string", const: type }, ...properties },
  })
  const secret = (title: string) => ({ type: "string", title, airbyte_secret: true })
  return {
    type: "Spec",
    connection_specification: {
      $schema: "http://json-schema.org/draft-07/schema#",
      type: "object",
      required: ["credentials"],
      additionalProperties: true,
      properties: {
        credentials: {
          type: "object",
          title: "Credentials",
          oneOf: [
            choice("password", "Name and password", {
              username: { type: "string", title: "User name", default: username },
              password: secret("Password"),
            }),
            choice("token", "Token", { token: secret("Token") }),
          ],
        },
      },
    },
  }
}
