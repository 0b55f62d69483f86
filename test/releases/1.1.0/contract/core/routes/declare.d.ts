import type { Policy } from "../access/policies.ts";
import { type Resource } from "../records/resource.ts";
import type { Deprecation, Description, HandlerContext, HandlerRoute, HostPart, ListingRoute, Method, Plugin, Route } from "./contract.ts";
export declare function definePlugin<Settings>(plugin: Plugin<Settings>): Plugin<Settings>;
export declare function listing<P>(path: string, resource: Resource<P>, options: {
    readonly auth: Policy;
    readonly project: P;
}): ListingRoute;
export declare function exported<P>(path: string, resource: Resource<P>, options: {
    readonly auth: Policy;
    readonly project: P;
}): ListingRoute;
export declare function handler<Needs extends HostPart = never>(method: Method, path: string, options: Pick<HandlerRoute, "auth" | "describe" | "quiet" | "longestBody" | "refused"> & {
    readonly needs?: readonly Needs[];
    handle(context: HandlerContext<Needs>): Response | Promise<Response>;
}): HandlerRoute;
export declare function announced(path: string, options: {
    readonly auth: Policy;
    readonly detail: string;
}): HandlerRoute & {
    readonly describe: Description;
};
export declare function deprecated<R extends Route>(deprecation: Deprecation, route: R): R;
