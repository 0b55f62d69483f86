import type { Kysely } from "kysely";
import { type ClockStep } from "../change-log/clock-steps.ts";
import type { Database } from "../data/database.ts";
import type { Schema } from "../data/schema.ts";
export interface DisclosureReport {
    readonly guest: string;
    readonly at: number;
    readonly records: readonly GuestRecord[];
    readonly deletionsSince: number;
}
export interface GuestRecord {
    readonly event: {
        readonly id: string;
        readonly name: string | null;
    };
    readonly state: "present" | "deleted" | "unknown";
    readonly deleted: number | null;
    readonly recipients: readonly Recipient[];
}
export interface Recipient {
    readonly account: string;
    readonly prefix: string;
    readonly list: string;
    readonly fields: readonly string[];
    readonly certain: boolean;
    readonly first: number;
    readonly last: number;
    readonly told: number | null;
    readonly acknowledged: number | null;
    readonly attested: number | null;
}
export declare function findDisclosures({ writer, dialect }: Database, guestId: string, { eventId }?: {
    readonly eventId?: string | undefined;
}): Promise<DisclosureReport>;
export declare function findSteps(db: Kysely<Schema>): Promise<ClockStep[]>;
export declare function isOfPersons(fields: readonly string[]): boolean;
interface Lifetime {
    readonly from: number;
    readonly to: number;
    readonly deleted: number | null;
}
export declare function meets({ from, to, deleted }: Lifetime, row: {
    readonly from_time: number;
    readonly to_time: number;
    readonly first_next: number;
}, steps: readonly ClockStep[]): boolean;
export {};
