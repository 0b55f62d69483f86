import type { GenericSchema } from "valibot";
import type { Policy } from "../access/policies.ts";
import type { OpenedSession, Session } from "../access/sessions.ts";
import type { Problem, ProblemCode } from "../http/problems.ts";
import type { List } from "../records/list.ts";
import type { RecordType } from "../records/record-type.ts";
import type { ListingParameter } from "../records/resource.ts";
import type { PathPattern } from "./path.ts";
export declare const apiVersion = 2;
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
export {};
