import type { GenericSchema } from "valibot";
import type { Category } from "./categories.ts";
import type { Snapshot } from "../data/database.ts";
import type { Access } from "../access/admission.ts";
import type { ListResult, PageRequest } from "./page.ts";
export interface Scope {
    readonly access: Access;
    readonly organizations: readonly string[] | undefined;
    readonly eventId: string;
}
export type ListingParameter<_Known = "q" | "since" | "offset" | "limit" | "bucket" | "hash" | "category" | "mine" | "cursor"> = any;
export declare const recordParameters: readonly ListingParameter[];
export declare const itemParameters: readonly ListingParameter[];
export declare const exportParameters: readonly ListingParameter[];
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
