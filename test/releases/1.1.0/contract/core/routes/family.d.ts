import type { FamilyPolicy } from "../access/policies.ts";
import type { ItemsProjection } from "../records/kinds/items.ts";
import type { Projection } from "../records/projection.ts";
import type { Mount } from "./contract.ts";
export interface Family {
    readonly auth: FamilyPolicy;
    readonly events?: Projection<"Event">;
    readonly guests?: Projection<"Guest"> | Announcement;
    readonly items?: ItemsProjection | Announcement;
}
export interface Announcement {
    readonly announced: string;
}
export declare function family(prefix: string, declared: Family): Mount;
