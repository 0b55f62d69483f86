import type { Database } from "../data/database.ts";
export interface EventReads {
    readonly account: string | null;
    readonly route: string | null;
    readonly requests: number;
    readonly errors: number;
    readonly records: number;
    readonly first: number;
    readonly last: number;
}
export interface Period {
    readonly since: number;
    readonly until: number;
}
export declare function listReads(database: Database, eventId: string, { since, until }: Period): Promise<readonly EventReads[]>;
