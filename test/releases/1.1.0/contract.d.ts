declare module "last/core/plugin" {
import * as v from "valibot"
import { Problem, ProblemCode, problems } from "last/core/http/problems"
export { anyone, FamilyPolicy, granted, operatorOnly, Policy, serviceUser, signedIn } from "last/core/access/policies"
export { Session } from "last/core/access/sessions"
export { readForm, readJson } from "last/core/http/body"
export { etagOf, matchesEtag } from "last/core/http/representation"
export { respondIfChanged, respondJson } from "last/core/http/respond"
export { readPreferences } from "last/core/http/prefer"
export { respondFile, ServedFile, servedFile } from "last/core/http/served-file"
export { events } from "last/core/records/events"
export { guests } from "last/core/records/guests"
export { items } from "last/core/records/items"
export { event } from "last/core/records/kinds/event"
export { guest } from "last/core/records/kinds/guest"
export { auctionItem, buyNowItem, gliRaffle, ItemsProjection, pledge, raffle, ticket, wholeItems } from "last/core/records/kinds/items"
export { leanEvent, leanGuest, leanItems } from "last/core/records/lean"
export { pick, Projection, rewritten, whole } from "last/core/records/projection"
export { RecordType } from "last/core/records/record-type"
export { ListingParameter, Resource } from "last/core/records/resource"
export { csv } from "last/core/records/rows/csv"
export { apiVersion, Catalogue, Deprecation, Description, EventName, HandlerContext, HandlerRoute, ListingRoute, Method, Mount, MountedRoute, Numbers, Plugin, RefusedRequest, Route, Status } from "last/core/routes/contract"
export { announced, definePlugin, deprecated, handler, listing } from "last/core/routes/declare"
export { describeDeprecation } from "last/core/routes/deprecation"
export { Announcement, Family, family } from "last/core/routes/family"
export { pathSegment, slug, username } from "last/core/routes/setting-types"
export { Problem, ProblemCode, problems, v }
}

declare module "last/core/access/accounts" {
import { Role } from "last/core/data/schema"
export interface Account {
    readonly id: string;
    readonly username: string;
    readonly role: Role;
}
}

declare module "last/core/access/admission" {
export interface Access {
    readonly organizationIds: readonly string[];
    readonly eventIds: readonly string[];
}
}

declare module "last/core/access/policies" {
export type Policy = {
    readonly kind: "anyone";
} | {
    readonly kind: "signed-in";
} | {
    readonly kind: "operator";
} | {
    readonly kind: "granted";
    readonly organizations: readonly string[];
} | {
    readonly kind: "service-user";
    readonly username: string;
    readonly organization: string;
};
export type FamilyPolicy = Extract<Policy, {
    readonly kind: "granted" | "service-user";
}>;
export const anyone: Policy;
export const signedIn: Policy;
export const operatorOnly: Policy;
export function granted(organizations: readonly string[]): FamilyPolicy;
export function serviceUser(username: string, organization: string): FamilyPolicy;
}

declare module "last/core/access/sessions" {
import { Account } from "last/core/access/accounts"
export interface Session {
    readonly id: string;
    readonly account: Account;
    readonly expires: number;
    readonly now: number;
}
export interface OpenedSession {
    readonly cookie: string;
    readonly token: string;
    readonly expires: number;
}
}

declare module "last/core/conformance/conformance" {
import { Plugin } from "last/core/routes/contract"
export function conformanceProblems(plugin: Plugin, settings: unknown): Promise<string[]>;
}

declare module "last/core/data/database" {
export type Snapshot<_A = any, _B = any> = any;
}

declare module "last/core/data/schema" {
export type Role<_A = any, _B = any> = any;
}

declare module "last/core/http/answer" {
import { Readable } from "node:stream"
export type Bytes = Uint8Array<ArrayBuffer>;
export interface Answer {
    readonly status: number;
    readonly headers: Readonly<Record<string, string | readonly string[]>>;
    readonly body: Bytes | ReadableStream<Uint8Array> | Readable | null;
}
}

declare module "last/core/http/body" {
export function readJson(request: Request): Promise<unknown>;
export function readForm(request: Request, longest?: number): Promise<FormData>;
}

declare module "last/core/http/prefer" {
export function readPreferences(headers: Headers): ReadonlyMap<string, string>;
}

declare module "last/core/http/problems" {
import { Answer } from "last/core/http/answer"
export const problems: {
    readonly invalid_parameter: {
        readonly status: 400;
        readonly title: "A parameter is not valid";
    };
    readonly invalid_body: {
        readonly status: 400;
        readonly title: "The request body is not valid";
        readonly detail: "The body is not JSON.";
    };
    readonly malformed_request: {
        readonly status: 400;
        readonly title: "The request cannot be read";
        readonly detail: "Send one Host header with a name and nothing else.";
    };
    readonly unauthenticated: {
        readonly status: 401;
        readonly title: "Not logged in";
    };
    readonly invalid_credentials: {
        readonly status: 401;
        readonly title: "Wrong user name or password";
    };
    readonly not_service_user: {
        readonly status: 403;
        readonly title: "Not the service user of this namespace";
    };
    readonly not_operator: {
        readonly status: 403;
        readonly title: "Not an operator";
    };
    readonly connector_not_enabled: {
        readonly status: 403;
        readonly title: "Connector not turned on";
    };
    readonly event_not_found: {
        readonly status: 404;
        readonly title: "No such event";
    };
    readonly not_available: {
        readonly status: 404;
        readonly title: "Not available";
    };
    readonly not_found: {
        readonly status: 404;
        readonly title: "No such address";
        readonly detail: "There is nothing at this URL. Check each segment of the path.";
    };
    readonly method_not_allowed: {
        readonly status: 405;
        readonly title: "Method not allowed";
    };
    readonly cursor_expired: {
        readonly status: 410;
        readonly title: "The cursor has expired";
        readonly detail: "A cursor is valid for a day. Start again without it, with the same since as before.";
    };
    readonly resync_required: {
        readonly status: 410;
        readonly title: "Deletions are not known that far back";
        readonly detail: string;
    };
    readonly body_too_large: {
        readonly status: 413;
        readonly title: "The request body is too large";
        readonly detail: "A body may have up to 4096 bytes.";
    };
    readonly url_too_long: {
        readonly status: 414;
        readonly title: "The address is too long";
        readonly detail: "Path and query may have up to 8192 characters.";
    };
    readonly unsupported_media_type: {
        readonly status: 415;
        readonly title: "The request body is of the wrong type";
        readonly detail: "Send JSON with the header content-type: application/json.";
    };
    readonly headers_too_large: {
        readonly status: 431;
        readonly title: "The request headers are too large";
        readonly detail: "The request line and the headers may have up to 16 KiB together.";
    };
    readonly misdirected_request: {
        readonly status: 421;
        readonly title: "Not for this service";
        readonly detail: "Unknown Host header.";
    };
    readonly too_fast: {
        readonly status: 429;
        readonly title: "Too many requests in a second";
        readonly detail: "Too many requests in one second. Send one after the other, or wait for Retry-After.";
    };
    readonly too_many_requests: {
        readonly status: 429;
        readonly title: "Too many requests in an hour";
        readonly detail: "The requests of this hour are used up. Request only changes, with since, less often.";
    };
    readonly too_many_at_once: {
        readonly status: 429;
        readonly title: "Too many requests at once";
        readonly detail: "You have as many requests running as you may. Wait for one to end.";
    };
    readonly too_many_log_ins: {
        readonly status: 429;
        readonly title: "Too many log-ins";
        readonly detail: string;
    };
    readonly internal: {
        readonly status: 500;
        readonly title: "Something went wrong here";
        readonly detail: "Internal error. Give the request id to the operator.";
    };
    readonly unavailable: {
        readonly status: 503;
        readonly title: "Cannot answer now";
        readonly detail: "The service cannot answer now. Nothing was changed; try again shortly.";
    };
};
export type ProblemCode<_Known = keyof typeof problems> = any;
export interface ParameterError {
    readonly parameter: string;
    readonly value: string | null;
    readonly detail: string;
}
interface ProblemOptions {
    readonly errors?: readonly ParameterError[];
    readonly headers?: Readonly<Record<string, string>>;
}
export class Problem extends Error {
    readonly name = "Problem";
    readonly code: ProblemCode;
    readonly errors: readonly ParameterError[] | undefined;
    readonly headers: Readonly<Record<string, string>>;
    constructor(code: ProblemCode, detail: string, { errors, headers }?: ProblemOptions);
    get status(): number;
    toJSON(requestId: string): Record<string, unknown>;
    toAnswer(requestId: string): Answer;
}
}

declare module "last/core/http/representation" {
export function etagOf(bytes: Uint8Array): string;
export function matchesEtag(ifNoneMatch: string | null, etag: string): boolean;
}

declare module "last/core/http/respond" {
interface Options {
    readonly status?: number;
    readonly headers?: Readonly<Record<string, string>>;
}
export function respondJson(value: unknown, options?: Options): Response;
export function respondIfChanged(request: Request, value: unknown): Response;
}

declare module "last/core/http/served-file" {
export interface ServedFile {
    readonly type: string;
    readonly plain: Representation;
    readonly gzip: Representation;
}
interface Representation {
    readonly bytes: Uint8Array<ArrayBuffer>;
    readonly etag: string;
}
export function servedFile(text: string, type: string): Promise<ServedFile>;
export function respondFile(request: Request, file: ServedFile, headers?: Readonly<Record<string, string>>): Response;
}

declare module "last/core/records/categories" {
import { ItemCategory } from "last/core/records/kinds/items"
export type Category = "guests" | ItemCategory;
}

declare module "last/core/records/compile-record" {
export type Row<_A = any, _B = any> = any;
}

declare module "last/core/records/events" {
import { Projection } from "last/core/records/projection"
import { Resource } from "last/core/records/resource"
export const events: Resource<Projection<"Event">>;
}

declare module "last/core/records/fields" {
import * as v from "valibot"
export type Kind = "uuid" | "text" | "number" | "flag" | "document" | "object";
export interface Declaration<Stored = unknown, Path extends string = string> {
    readonly kind: Kind;
    readonly description: string;
    readonly example: unknown;
    readonly schema: v.GenericSchema;
    readonly path: Path;
    readonly isNullable: boolean;
    readonly isSearched: boolean;
    readonly isFormatted: boolean;
    readonly isComputed?: true;
    readonly otherwise?: string;
    readonly record?: NestedRecord;
    readonly stored?: Stored;
}
export interface Field<Stored = unknown, Path extends string = string> extends Declaration<Stored, Path> {
    readonly relation: string;
    readonly column: string;
    readonly columns: readonly string[];
}
export type Fields = Readonly<Record<string, Field>>;
interface NestedRecord {
    readonly name: string;
    readonly fields: Fields;
}
export function uuid(description: string, example: string): Declaration<string, "">;
export function text(description: string, example: string | null): Declaration<string, "">;
export function flag(description: string, example: boolean): Declaration<number, "">;
export function otherwise<D extends Declaration>(value: string, field: D): D;
}

declare module "last/core/records/guests" {
import { Projection } from "last/core/records/projection"
import { Resource } from "last/core/records/resource"
export const guests: Resource<Projection<"Guest">>;
}

declare module "last/core/records/items" {
import { ItemsProjection } from "last/core/records/kinds/items"
import { Resource } from "last/core/records/resource"
export const items: Resource<ItemsProjection>;
}

declare module "last/core/records/lean" {
import { ItemsProjection } from "last/core/records/kinds/items"
export const leanGuest: import("last/core/records/projection").Projection<"Guest">;
export const leanEvent: import("last/core/records/projection").Projection<"Event">;
export const leanItems: ItemsProjection;
}

declare module "last/core/records/list" {
import { GenericSchema } from "valibot"
import { Snapshot } from "last/core/data/database"
import { Category } from "last/core/records/categories"
import { ListResult, PageRequest } from "last/core/records/page"
import { Projection } from "last/core/records/projection"
import { ListingParameter, Resource, Scope } from "last/core/records/resource"
export interface List {
    readonly name: string;
    readonly summary: string;
    readonly scope: Resource["scope"];
    readonly parameters: readonly ListingParameter[];
    readonly parts: readonly ListPart[];
    readonly bundle: boolean;
    readonly hasHorizon: boolean;
    readonly categories: readonly Category[] | undefined;
    readonly emptyBody: unknown;
    readonly schema: GenericSchema | undefined;
    readonly example: unknown;
    read(snapshot: Snapshot, scope: Scope, page: PageRequest): Promise<ListResult>;
}
export interface ListPart {
    readonly name: string | undefined;
    readonly projection: Projection;
}
}

declare module "last/core/records/page" {
export type PageRequest<_A = any, _B = any> = any;
export type ListResult<_A = any, _B = any> = any;
}

declare module "last/core/records/projection" {
import { GenericSchema } from "valibot"
import { Row } from "last/core/records/compile-record"
import { Fields } from "last/core/records/fields"
import { RecordType } from "last/core/records/record-type"
export interface Projection<Name extends string = string> {
    readonly record: Name;
    readonly fields: readonly string[];
    readonly columns: readonly string[];
    readonly searched: readonly string[];
    readonly schema: ObjectSchema;
    readonly rewritten?: true;
    project(row: Row): Record<string, unknown>;
}
type ObjectSchema = GenericSchema<Record<string, unknown>> & {
    readonly entries: Readonly<Record<string, unknown>>;
};
export function pick<Name extends string, F extends Fields>(record: RecordType<Name, F>, names: readonly (keyof F & string)[]): Projection<Name>;
export function whole<Name extends string>(record: RecordType<Name>): Projection<Name>;
export function rewritten<Name extends string>(projection: Projection<Name>, schema: ObjectSchema, rewrite: (record: Record<string, unknown>) => Record<string, unknown>): Projection<Name>;
}

declare module "last/core/records/record-type" {
import { Fields } from "last/core/records/fields"
export interface RecordType<Name extends string = string, F extends Fields = Fields> {
    readonly name: Name;
    readonly table: string | undefined;
    readonly fields: F;
}
}

declare module "last/core/records/resource" {
import { GenericSchema } from "valibot"
import { Category } from "last/core/records/categories"
import { Snapshot } from "last/core/data/database"
import { Access } from "last/core/access/admission"
import { ListResult, PageRequest } from "last/core/records/page"
export interface Scope {
    readonly access: Access;
    readonly organizations: readonly string[] | undefined;
    readonly eventId: string;
}
export type ListingParameter<_Known = "q" | "since" | "offset" | "limit" | "bucket" | "hash" | "category" | "mine" | "cursor"> = any;
export interface Resource<P = unknown> {
    readonly name: string;
    readonly summary?: string;
    readonly scope: "event" | "account";
    readonly parameters: readonly ListingParameter[];
    readonly records?: string | Readonly<Record<string, string>>;
    readonly bundle?: boolean;
    readonly hasHorizon?: true;
    shape?(projection: P): GenericSchema;
    readonly example?: unknown;
    readonly categories?: readonly Category[];
    readonly emptyBody?: unknown;
    list(snapshot: Snapshot, scope: Scope, page: PageRequest, projection: P): Promise<ListResult>;
}
}

declare module "last/core/routes/contract" {
import { GenericSchema } from "valibot"
import { Policy } from "last/core/access/policies"
import { OpenedSession, Session } from "last/core/access/sessions"
import { Problem, ProblemCode } from "last/core/http/problems"
import { List } from "last/core/records/list"
import { RecordType } from "last/core/records/record-type"
import { ListingParameter } from "last/core/records/resource"
import { PathPattern } from "last/core/routes/path"
export const apiVersion = 2;
export interface Plugin<Settings = unknown> {
    readonly apiVersion: number;
    readonly name: string;
    readonly summary: string;
    readonly version?: string;
    readonly extends?: string;
    readonly settings: GenericSchema<unknown, Settings>;
    mount(settings: Settings): Mount | readonly Mount[];
    document?(catalogue: Catalogue): Promise<Readonly<Record<string, unknown>>>;
}
export interface Mount {
    readonly prefix: string;
    readonly routes: readonly Route[];
}
export type Route = ListingRoute | HandlerRoute;
export interface ListingRoute {
    readonly kind: "listing";
    readonly method: "GET";
    readonly path: string;
    readonly auth: Policy;
    readonly list: List;
    readonly export?: true;
    readonly deprecated?: Deprecation;
}
export interface HandlerRoute {
    readonly kind: "handler";
    readonly method: Method;
    readonly path: string;
    readonly auth: Policy;
    readonly needs: readonly HostPart[];
    readonly announced?: true;
    readonly describe?: Description;
    readonly quiet?: true;
    readonly deprecated?: Deprecation;
    readonly longestBody?: number;
    handle(context: HandlerContext<HostPart>): Response | Promise<Response>;
    refused?(problem: Problem, refused: RefusedRequest): Response | undefined;
}
export interface RefusedRequest {
    readonly request: Request;
    readonly requestId: string;
}
export type MountedRoute = Route & {
    readonly plugin: string;
    readonly prefix: string;
    readonly pattern: PathPattern;
};
export interface Deprecation {
    readonly since: string;
    readonly sunset: string;
    readonly successor?: string;
}
export interface Description {
    readonly summary: string;
    readonly description: string;
    readonly parameters?: Readonly<Record<string, string>>;
    readonly requestHeaders?: Readonly<Record<string, {
        readonly description: string;
        readonly example: string;
    }>>;
    readonly body?: GenericSchema;
    readonly answers: Readonly<Record<number, GenericSchema | string | null>>;
    readonly headers?: readonly string[];
    readonly problems?: {
        readonly [Code in ProblemCode]?: string | true;
    };
}
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
export interface HandlerContext<Needs extends HostPart = never> {
    readonly request: Request;
    readonly params: Readonly<Record<string, string>>;
    readonly session: Session | undefined;
    readonly host: Pick<Host, Needs>;
}
export interface Host {
    readonly sessions: SessionControl;
    status(): Status;
    catalogue(): Promise<Catalogue>;
    readiness(): Promise<Readiness>;
}
export type HostPart = keyof Host;
export interface Catalogue {
    readonly routes: readonly MountedRoute[];
    readonly server: string;
    readonly cookie: string;
    readonly summaries: ReadonlyMap<string, string>;
    readonly families: readonly string[];
    readonly numbers: Numbers;
    readonly records: ReadonlyMap<string, RecordType>;
    readonly parameters: Readonly<Record<ListingParameter, ParameterDescription>>;
    readonly limitOfExports: ParameterDescription;
    readonly reader: Pick<Session["account"], "username" | "role"> | undefined;
    example(code: ProblemCode, route: MountedRoute): Problem;
    eventsOf(route: MountedRoute): readonly EventName[];
}
export interface EventName {
    readonly id: string;
    readonly name: string;
}
export interface Numbers {
    readonly limits: {
        readonly burst: number;
        readonly quota: number;
        readonly concurrent: number;
        readonly waiting: number;
    };
    readonly session: {
        readonly lifetime: number;
        readonly idle: number;
    };
    readonly polling: {
        readonly lag: number;
        readonly retention: number;
        readonly wait: number;
        readonly intervals: {
            readonly running: number;
            readonly upcoming: number;
            readonly closed: number;
        };
    };
    readonly export: {
        readonly records: number;
        readonly seconds: number;
    };
    readonly cursor: number;
    readonly search: number;
}
interface ParameterDescription {
    readonly description: string;
    readonly schema: Readonly<Record<string, unknown>>;
}
export interface SessionControl {
    begin(username: string, password: string): Promise<string | undefined>;
    open(username: string, password: string): Promise<OpenedSession | undefined>;
    end(session: Session): Promise<string>;
}
export interface Status {
    readonly config: {
        readonly file: string;
        readonly hash: string;
    };
    readonly contract: number;
    readonly database: string;
    readonly since: number;
    readonly plugins: readonly PluginStatus[];
    readonly failed: readonly {
        readonly use: string;
        readonly reasons: readonly string[];
    }[];
    readonly routes: readonly RouteSummary[];
    readonly fixedSettings: Readonly<Record<string, unknown>>;
    readonly lastReload: ReloadOutcome | null;
}
export interface PluginStatus {
    readonly name: string;
    readonly version: string | null;
    readonly contract: number;
    readonly summary: string;
    readonly prefixes: readonly string[];
    readonly routes: number;
    readonly loadMilliseconds: number;
}
export interface RouteSummary {
    readonly method: string;
    readonly path: string;
    readonly plugin: string;
    readonly policy: string;
    readonly organizations: readonly string[] | null;
    readonly fields: readonly string[];
    readonly deprecated: Deprecation | null;
}
export interface ReloadOutcome {
    readonly at: number;
    readonly result: "applied" | "refused";
    readonly trigger: string;
    readonly reason: string | null;
    readonly retrying: boolean;
}
export interface Readiness {
    readonly ready: boolean;
    readonly draining: boolean;
    readonly database: "ok" | "away";
    readonly migrations: "ok" | "pending" | "unknown";
    readonly audit: "ok" | "delayed";
    readonly triggers: "ok" | "faulty";
    readonly config: "ok" | "refused";
    readonly families: Readonly<Record<string, "ok" | "failed">>;
}
}

declare module "last/core/routes/declare" {
import { Policy } from "last/core/access/policies"
import { Resource } from "last/core/records/resource"
import { Deprecation, Description, HandlerContext, HandlerRoute, HostPart, ListingRoute, Method, Plugin, Route } from "last/core/routes/contract"
export function definePlugin<Settings>(plugin: Plugin<Settings>): Plugin<Settings>;
export function listing<P>(path: string, resource: Resource<P>, options: {
    readonly auth: Policy;
    readonly project: P;
}): ListingRoute;
export function handler<Needs extends HostPart = never>(method: Method, path: string, options: Pick<HandlerRoute, "auth" | "describe" | "quiet" | "longestBody" | "refused"> & {
    readonly needs?: readonly Needs[];
    handle(context: HandlerContext<Needs>): Response | Promise<Response>;
}): HandlerRoute;
export function announced(path: string, options: {
    readonly auth: Policy;
    readonly detail: string;
}): HandlerRoute & {
    readonly describe: Description;
};
export function deprecated<R extends Route>(deprecation: Deprecation, route: R): R;
}

declare module "last/core/routes/deprecation" {
import { Deprecation } from "last/core/routes/contract"
export function describeDeprecation({ since, sunset, successor }: Deprecation): string;
}

declare module "last/core/routes/family" {
import { FamilyPolicy } from "last/core/access/policies"
import { ItemsProjection } from "last/core/records/kinds/items"
import { Projection } from "last/core/records/projection"
import { Mount } from "last/core/routes/contract"
export interface Family {
    readonly auth: FamilyPolicy;
    readonly events?: Projection<"Event">;
    readonly guests?: Projection<"Guest"> | Announcement;
    readonly items?: ItemsProjection | Announcement;
}
export interface Announcement {
    readonly announced: string;
}
export function family(prefix: string, declared: Family): Mount;
}

declare module "last/core/routes/path" {
export interface PathPattern {
    readonly text: string;
    readonly parameters: readonly string[];
    readonly expression: RegExp;
    readonly shape: string;
}
}

declare module "last/core/routes/setting-types" {
import * as v from "valibot"
export const pathSegment: v.GenericSchema<unknown, string>;
export const slug: v.GenericSchema<unknown, string>;
export const username: v.GenericSchema<unknown, string>;
}

declare module "last/core/records/kinds/event" {
export const event: import("last/core/records/record-type").RecordType<"Event", {
    readonly changed: import("last/core/records/fields").Field<never, "latest.changed">;
    readonly created: import("last/core/records/fields").Field<number, "record.created">;
    readonly currency: import("last/core/records/fields").Field<string, "record.currency">;
    readonly ends: import("last/core/records/fields").Field<number, "record.ends">;
    readonly externalId: import("last/core/records/fields").Field<string | null, "record.external_id">;
    readonly id: import("last/core/records/fields").Field<string, "record.id">;
    readonly name: import("last/core/records/fields").Field<string, "record.name">;
    readonly starts: import("last/core/records/fields").Field<number, "record.starts">;
    readonly status: import("last/core/records/fields").Field<string, "record.status">;
    readonly timezone: import("last/core/records/fields").Field<string, "record.timezone">;
    readonly updated: import("last/core/records/fields").Field<number, "record.updated">;
}> & {
    readonly table: "event";
};
}

declare module "last/core/records/kinds/guest" {
export const guest: import("last/core/records/record-type").RecordType<"Guest", {
    readonly companyName: import("last/core/records/fields").Field<string | null, "record.company_name">;
    readonly consentAsked: import("last/core/records/fields").Field<number, "consent.asked">;
    readonly consentChannels: import("last/core/records/fields").Field<string, "consent.channels">;
    readonly consentStatus: import("last/core/records/fields").Field<string, "consent.status">;
    readonly created: import("last/core/records/fields").Field<number, "record.created">;
    readonly email: import("last/core/records/fields").Field<string, "record.email">;
    readonly eventId: import("last/core/records/fields").Field<string, "record.event_id">;
    readonly externalId: import("last/core/records/fields").Field<string, "record.external_id">;
    readonly firstName: import("last/core/records/fields").Field<string, "record.first_name">;
    readonly giftAidAddress: import("last/core/records/fields").Field<never, string>;
    readonly id: import("last/core/records/fields").Field<string, "record.id">;
    readonly lastName: import("last/core/records/fields").Field<string, "record.last_name">;
    readonly mainAddress: import("last/core/records/fields").Field<never, string>;
    readonly mobile: import("last/core/records/fields").Field<string, "record.mobile">;
    readonly smsOptIn: import("last/core/records/fields").Field<number, "record.sms_opt_in">;
    readonly taxReceiptAidAddress: import("last/core/records/fields").Field<never, string>;
    readonly updated: import("last/core/records/fields").Field<number, "record.updated">;
}> & {
    readonly table: "guest";
};
}

declare module "last/core/records/kinds/items" {
import { Projection } from "last/core/records/projection"
export const buyNowItem: import("last/core/records/record-type").RecordType<"BuyNowItem", {
    readonly categories: import("last/core/records/fields").Field<string, "record.categories">;
    readonly created: import("last/core/records/fields").Field<number, "record.created">;
    readonly description: import("last/core/records/fields").Field<string | null, "record.description">;
    readonly estimate: import("last/core/records/fields").Field<number | null, "record.estimate">;
    readonly eventId: import("last/core/records/fields").Field<string, "record.event_id">;
    readonly externalId: import("last/core/records/fields").Field<string | null, "record.external_id">;
    readonly id: import("last/core/records/fields").Field<string, "record.id">;
    readonly irsSubcategory: import("last/core/records/fields").Field<string | null, "record.irs_subcategory">;
    readonly name: import("last/core/records/fields").Field<string, "record.name">;
    readonly price: import("last/core/records/fields").Field<number, "record.price">;
    readonly quantity: import("last/core/records/fields").Field<number | null, "record.quantity">;
    readonly revenueStreamType: import("last/core/records/fields").Field<string, "record.revenue_stream_type">;
    readonly status: import("last/core/records/fields").Field<string, "record.status">;
    readonly taxRate: import("last/core/records/fields").Field<number | null, "record.tax_rate">;
    readonly termsDescription: import("last/core/records/fields").Field<string | null, "record.terms_description">;
    readonly updated: import("last/core/records/fields").Field<number, "record.updated">;
}> & {
    readonly table: "buy_now_item";
};
export const auctionItem: import("last/core/records/record-type").RecordType<"AuctionItem", {
    readonly categories: import("last/core/records/fields").Field<string, "record.categories">;
    readonly closes: import("last/core/records/fields").Field<number | null, "record.closes">;
    readonly created: import("last/core/records/fields").Field<number, "record.created">;
    readonly description: import("last/core/records/fields").Field<string | null, "record.description">;
    readonly estimate: import("last/core/records/fields").Field<number | null, "record.estimate">;
    readonly eventId: import("last/core/records/fields").Field<string, "record.event_id">;
    readonly externalId: import("last/core/records/fields").Field<string | null, "record.external_id">;
    readonly id: import("last/core/records/fields").Field<string, "record.id">;
    readonly increments: import("last/core/records/fields").Field<string, "record.increments">;
    readonly irsSubcategory: import("last/core/records/fields").Field<string | null, "record.irs_subcategory">;
    readonly lotNumber: import("last/core/records/fields").Field<number, "record.lot_number">;
    readonly name: import("last/core/records/fields").Field<string, "record.name">;
    readonly revenueStreamType: import("last/core/records/fields").Field<string, "record.revenue_stream_type">;
    readonly startPrice: import("last/core/records/fields").Field<number, "record.start_price">;
    readonly status: import("last/core/records/fields").Field<string, "record.status">;
    readonly taxRate: import("last/core/records/fields").Field<number | null, "record.tax_rate">;
    readonly termsDescription: import("last/core/records/fields").Field<string | null, "record.terms_description">;
    readonly updated: import("last/core/records/fields").Field<number, "record.updated">;
}> & {
    readonly table: "auction_item";
};
export const pledge: import("last/core/records/record-type").RecordType<"Pledge", {
    readonly amount: import("last/core/records/fields").Field<number | null, "record.amount">;
    readonly categories: import("last/core/records/fields").Field<string, "record.categories">;
    readonly created: import("last/core/records/fields").Field<number, "record.created">;
    readonly description: import("last/core/records/fields").Field<string | null, "record.description">;
    readonly eventId: import("last/core/records/fields").Field<string, "record.event_id">;
    readonly externalId: import("last/core/records/fields").Field<string | null, "record.external_id">;
    readonly id: import("last/core/records/fields").Field<string, "record.id">;
    readonly irsSubcategory: import("last/core/records/fields").Field<string | null, "record.irs_subcategory">;
    readonly name: import("last/core/records/fields").Field<string, "record.name">;
    readonly revenueStreamType: import("last/core/records/fields").Field<string, "record.revenue_stream_type">;
    readonly status: import("last/core/records/fields").Field<string, "record.status">;
    readonly termsDescription: import("last/core/records/fields").Field<string | null, "record.terms_description">;
    readonly updated: import("last/core/records/fields").Field<number, "record.updated">;
}> & {
    readonly table: "pledge";
};
export const raffle: import("last/core/records/record-type").RecordType<"Raffle", {
    readonly categories: import("last/core/records/fields").Field<string, "record.categories">;
    readonly created: import("last/core/records/fields").Field<number, "record.created">;
    readonly description: import("last/core/records/fields").Field<string | null, "record.description">;
    readonly draws: import("last/core/records/fields").Field<number | null, "record.draws">;
    readonly eventId: import("last/core/records/fields").Field<string, "record.event_id">;
    readonly externalId: import("last/core/records/fields").Field<string | null, "record.external_id">;
    readonly id: import("last/core/records/fields").Field<string, "record.id">;
    readonly irsSubcategory: import("last/core/records/fields").Field<string | null, "record.irs_subcategory">;
    readonly maxTickets: import("last/core/records/fields").Field<number | null, "record.max_tickets">;
    readonly name: import("last/core/records/fields").Field<string, "record.name">;
    readonly revenueStreamType: import("last/core/records/fields").Field<string, "record.revenue_stream_type">;
    readonly status: import("last/core/records/fields").Field<string, "record.status">;
    readonly termsDescription: import("last/core/records/fields").Field<string | null, "record.terms_description">;
    readonly ticketPrice: import("last/core/records/fields").Field<number, "record.ticket_price">;
    readonly updated: import("last/core/records/fields").Field<number, "record.updated">;
}> & {
    readonly table: "raffle";
};
export const gliRaffle: import("last/core/records/record-type").RecordType<"GliRaffle", {
    readonly categories: import("last/core/records/fields").Field<string, "record.categories">;
    readonly created: import("last/core/records/fields").Field<number, "record.created">;
    readonly description: import("last/core/records/fields").Field<string | null, "record.description">;
    readonly draws: import("last/core/records/fields").Field<number | null, "record.draws">;
    readonly eventId: import("last/core/records/fields").Field<string, "record.event_id">;
    readonly externalId: import("last/core/records/fields").Field<string | null, "record.external_id">;
    readonly id: import("last/core/records/fields").Field<string, "record.id">;
    readonly irsSubcategory: import("last/core/records/fields").Field<string | null, "record.irs_subcategory">;
    readonly licenceNumber: import("last/core/records/fields").Field<string, "record.licence_number">;
    readonly maxTickets: import("last/core/records/fields").Field<number | null, "record.max_tickets">;
    readonly name: import("last/core/records/fields").Field<string, "record.name">;
    readonly regulator: import("last/core/records/fields").Field<string, "record.regulator">;
    readonly revenueStreamType: import("last/core/records/fields").Field<string, "record.revenue_stream_type">;
    readonly status: import("last/core/records/fields").Field<string, "record.status">;
    readonly termsDescription: import("last/core/records/fields").Field<string | null, "record.terms_description">;
    readonly ticketPrice: import("last/core/records/fields").Field<number, "record.ticket_price">;
    readonly updated: import("last/core/records/fields").Field<number, "record.updated">;
}> & {
    readonly table: "gli_raffle";
};
export const ticket: import("last/core/records/record-type").RecordType<"Ticket", {
    readonly admits: import("last/core/records/fields").Field<number, "record.admits">;
    readonly capacity: import("last/core/records/fields").Field<number | null, "record.capacity">;
    readonly categories: import("last/core/records/fields").Field<string, "record.categories">;
    readonly created: import("last/core/records/fields").Field<number, "record.created">;
    readonly description: import("last/core/records/fields").Field<string | null, "record.description">;
    readonly eventId: import("last/core/records/fields").Field<string, "record.event_id">;
    readonly externalId: import("last/core/records/fields").Field<string | null, "record.external_id">;
    readonly id: import("last/core/records/fields").Field<string, "record.id">;
    readonly irsSubcategory: import("last/core/records/fields").Field<string | null, "record.irs_subcategory">;
    readonly name: import("last/core/records/fields").Field<string, "record.name">;
    readonly price: import("last/core/records/fields").Field<number, "record.price">;
    readonly revenueStreamType: import("last/core/records/fields").Field<string, "record.revenue_stream_type">;
    readonly status: import("last/core/records/fields").Field<string, "record.status">;
    readonly taxRate: import("last/core/records/fields").Field<number | null, "record.tax_rate">;
    readonly termsDescription: import("last/core/records/fields").Field<string | null, "record.terms_description">;
    readonly updated: import("last/core/records/fields").Field<number, "record.updated">;
}> & {
    readonly table: "ticket";
};
export const itemKinds: {
    readonly buyNows: import("last/core/records/record-type").RecordType<"BuyNowItem", {
        readonly categories: import("last/core/records/fields").Field<string, "record.categories">;
        readonly created: import("last/core/records/fields").Field<number, "record.created">;
        readonly description: import("last/core/records/fields").Field<string | null, "record.description">;
        readonly estimate: import("last/core/records/fields").Field<number | null, "record.estimate">;
        readonly eventId: import("last/core/records/fields").Field<string, "record.event_id">;
        readonly externalId: import("last/core/records/fields").Field<string | null, "record.external_id">;
        readonly id: import("last/core/records/fields").Field<string, "record.id">;
        readonly irsSubcategory: import("last/core/records/fields").Field<string | null, "record.irs_subcategory">;
        readonly name: import("last/core/records/fields").Field<string, "record.name">;
        readonly price: import("last/core/records/fields").Field<number, "record.price">;
        readonly quantity: import("last/core/records/fields").Field<number | null, "record.quantity">;
        readonly revenueStreamType: import("last/core/records/fields").Field<string, "record.revenue_stream_type">;
        readonly status: import("last/core/records/fields").Field<string, "record.status">;
        readonly taxRate: import("last/core/records/fields").Field<number | null, "record.tax_rate">;
        readonly termsDescription: import("last/core/records/fields").Field<string | null, "record.terms_description">;
        readonly updated: import("last/core/records/fields").Field<number, "record.updated">;
    }> & {
        readonly table: "buy_now_item";
    };
    readonly auctionItems: import("last/core/records/record-type").RecordType<"AuctionItem", {
        readonly categories: import("last/core/records/fields").Field<string, "record.categories">;
        readonly closes: import("last/core/records/fields").Field<number | null, "record.closes">;
        readonly created: import("last/core/records/fields").Field<number, "record.created">;
        readonly description: import("last/core/records/fields").Field<string | null, "record.description">;
        readonly estimate: import("last/core/records/fields").Field<number | null, "record.estimate">;
        readonly eventId: import("last/core/records/fields").Field<string, "record.event_id">;
        readonly externalId: import("last/core/records/fields").Field<string | null, "record.external_id">;
        readonly id: import("last/core/records/fields").Field<string, "record.id">;
        readonly increments: import("last/core/records/fields").Field<string, "record.increments">;
        readonly irsSubcategory: import("last/core/records/fields").Field<string | null, "record.irs_subcategory">;
        readonly lotNumber: import("last/core/records/fields").Field<number, "record.lot_number">;
        readonly name: import("last/core/records/fields").Field<string, "record.name">;
        readonly revenueStreamType: import("last/core/records/fields").Field<string, "record.revenue_stream_type">;
        readonly startPrice: import("last/core/records/fields").Field<number, "record.start_price">;
        readonly status: import("last/core/records/fields").Field<string, "record.status">;
        readonly taxRate: import("last/core/records/fields").Field<number | null, "record.tax_rate">;
        readonly termsDescription: import("last/core/records/fields").Field<string | null, "record.terms_description">;
        readonly updated: import("last/core/records/fields").Field<number, "record.updated">;
    }> & {
        readonly table: "auction_item";
    };
    readonly pledges: import("last/core/records/record-type").RecordType<"Pledge", {
        readonly amount: import("last/core/records/fields").Field<number | null, "record.amount">;
        readonly categories: import("last/core/records/fields").Field<string, "record.categories">;
        readonly created: import("last/core/records/fields").Field<number, "record.created">;
        readonly description: import("last/core/records/fields").Field<string | null, "record.description">;
        readonly eventId: import("last/core/records/fields").Field<string, "record.event_id">;
        readonly externalId: import("last/core/records/fields").Field<string | null, "record.external_id">;
        readonly id: import("last/core/records/fields").Field<string, "record.id">;
        readonly irsSubcategory: import("last/core/records/fields").Field<string | null, "record.irs_subcategory">;
        readonly name: import("last/core/records/fields").Field<string, "record.name">;
        readonly revenueStreamType: import("last/core/records/fields").Field<string, "record.revenue_stream_type">;
        readonly status: import("last/core/records/fields").Field<string, "record.status">;
        readonly termsDescription: import("last/core/records/fields").Field<string | null, "record.terms_description">;
        readonly updated: import("last/core/records/fields").Field<number, "record.updated">;
    }> & {
        readonly table: "pledge";
    };
    readonly prizeDraws: import("last/core/records/record-type").RecordType<"Raffle", {
        readonly categories: import("last/core/records/fields").Field<string, "record.categories">;
        readonly created: import("last/core/records/fields").Field<number, "record.created">;
        readonly description: import("last/core/records/fields").Field<string | null, "record.description">;
        readonly draws: import("last/core/records/fields").Field<number | null, "record.draws">;
        readonly eventId: import("last/core/records/fields").Field<string, "record.event_id">;
        readonly externalId: import("last/core/records/fields").Field<string | null, "record.external_id">;
        readonly id: import("last/core/records/fields").Field<string, "record.id">;
        readonly irsSubcategory: import("last/core/records/fields").Field<string | null, "record.irs_subcategory">;
        readonly maxTickets: import("last/core/records/fields").Field<number | null, "record.max_tickets">;
        readonly name: import("last/core/records/fields").Field<string, "record.name">;
        readonly revenueStreamType: import("last/core/records/fields").Field<string, "record.revenue_stream_type">;
        readonly status: import("last/core/records/fields").Field<string, "record.status">;
        readonly termsDescription: import("last/core/records/fields").Field<string | null, "record.terms_description">;
        readonly ticketPrice: import("last/core/records/fields").Field<number, "record.ticket_price">;
        readonly updated: import("last/core/records/fields").Field<number, "record.updated">;
    }> & {
        readonly table: "raffle";
    };
    readonly gliRaffles: import("last/core/records/record-type").RecordType<"GliRaffle", {
        readonly categories: import("last/core/records/fields").Field<string, "record.categories">;
        readonly created: import("last/core/records/fields").Field<number, "record.created">;
        readonly description: import("last/core/records/fields").Field<string | null, "record.description">;
        readonly draws: import("last/core/records/fields").Field<number | null, "record.draws">;
        readonly eventId: import("last/core/records/fields").Field<string, "record.event_id">;
        readonly externalId: import("last/core/records/fields").Field<string | null, "record.external_id">;
        readonly id: import("last/core/records/fields").Field<string, "record.id">;
        readonly irsSubcategory: import("last/core/records/fields").Field<string | null, "record.irs_subcategory">;
        readonly licenceNumber: import("last/core/records/fields").Field<string, "record.licence_number">;
        readonly maxTickets: import("last/core/records/fields").Field<number | null, "record.max_tickets">;
        readonly name: import("last/core/records/fields").Field<string, "record.name">;
        readonly regulator: import("last/core/records/fields").Field<string, "record.regulator">;
        readonly revenueStreamType: import("last/core/records/fields").Field<string, "record.revenue_stream_type">;
        readonly status: import("last/core/records/fields").Field<string, "record.status">;
        readonly termsDescription: import("last/core/records/fields").Field<string | null, "record.terms_description">;
        readonly ticketPrice: import("last/core/records/fields").Field<number, "record.ticket_price">;
        readonly updated: import("last/core/records/fields").Field<number, "record.updated">;
    }> & {
        readonly table: "gli_raffle";
    };
    readonly tickets: import("last/core/records/record-type").RecordType<"Ticket", {
        readonly admits: import("last/core/records/fields").Field<number, "record.admits">;
        readonly capacity: import("last/core/records/fields").Field<number | null, "record.capacity">;
        readonly categories: import("last/core/records/fields").Field<string, "record.categories">;
        readonly created: import("last/core/records/fields").Field<number, "record.created">;
        readonly description: import("last/core/records/fields").Field<string | null, "record.description">;
        readonly eventId: import("last/core/records/fields").Field<string, "record.event_id">;
        readonly externalId: import("last/core/records/fields").Field<string | null, "record.external_id">;
        readonly id: import("last/core/records/fields").Field<string, "record.id">;
        readonly irsSubcategory: import("last/core/records/fields").Field<string | null, "record.irs_subcategory">;
        readonly name: import("last/core/records/fields").Field<string, "record.name">;
        readonly price: import("last/core/records/fields").Field<number, "record.price">;
        readonly revenueStreamType: import("last/core/records/fields").Field<string, "record.revenue_stream_type">;
        readonly status: import("last/core/records/fields").Field<string, "record.status">;
        readonly taxRate: import("last/core/records/fields").Field<number | null, "record.tax_rate">;
        readonly termsDescription: import("last/core/records/fields").Field<string | null, "record.terms_description">;
        readonly updated: import("last/core/records/fields").Field<number, "record.updated">;
    }> & {
        readonly table: "ticket";
    };
};
export type ItemCategory = keyof typeof itemKinds;
export type ItemsProjection = {
    readonly [C in ItemCategory]: Projection<(typeof itemKinds)[C]["name"]>;
};
export const wholeItems: ItemsProjection;
}

declare module "last/core/records/rows/csv" {
export type Cell = string | number | boolean | null;
export function csv(rows: readonly (readonly Cell[])[]): string;
}
