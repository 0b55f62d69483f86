import type { Database } from "../data/database.ts";
import type { Role } from "../data/schema.ts";
import { type ProblemCode } from "../http/problems.ts";
import { type Policy } from "./policies.ts";
export interface RouteToExplain {
    readonly method: string;
    readonly kind: "listing" | "handler";
    readonly pattern: {
        readonly text: string;
        readonly parameters: readonly string[];
    };
    readonly plugin: string;
    readonly auth: Policy;
    readonly announced?: true;
}
export interface AccessQuestion {
    readonly username: string;
    readonly eventId: string;
    readonly family?: string | undefined;
    readonly address?: string | undefined;
    readonly idle?: number;
}
export type Decider = "account" | "session" | "event" | "grant" | "configuration";
export interface RouteExplanation<Route extends RouteToExplain = RouteToExplain> {
    readonly route: Route;
    readonly path: string;
    readonly status: number;
    readonly code: ProblemCode | null;
    readonly decider: Decider;
    readonly reason: string;
    readonly loggedIn: number;
}
export interface AccessExplanation<Route extends RouteToExplain = RouteToExplain> {
    readonly account: {
        readonly username: string;
        readonly role: Role;
        readonly disabled: boolean;
    };
    readonly event: {
        readonly id: string;
        readonly name: string;
        readonly organization: string;
    } | null;
    readonly routes: readonly RouteExplanation<Route>[];
}
export declare function explainAccess<Route extends RouteToExplain>(database: Database, routes: readonly Route[], question: AccessQuestion): Promise<AccessExplanation<Route>>;
