import type { GenericSchema } from "valibot";
import type { Snapshot } from "../data/database.ts";
import type { Category } from "./categories.ts";
import type { ListResult, PageRequest } from "./page.ts";
import type { Projection } from "./projection.ts";
import type { ListingParameter, Resource, Scope } from "./resource.ts";
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
export declare function bindList<P>(resource: Resource<P>, projection: P): List;
export declare function recordsOf(body: unknown, { name }: ListPart): readonly Record<string, unknown>[];
export declare function isEmpty(body: unknown): boolean;
export declare function countRecords(body: unknown): number;
export declare function encodeBody(body: unknown): Uint8Array<ArrayBuffer>;
export declare function isProjection(value: unknown): value is Projection;
