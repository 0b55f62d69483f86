import type { Database } from "../data/database.ts";
export interface EventListing {
    readonly id: string;
    readonly name: string;
    readonly organization: string;
    readonly status: string;
    readonly starts: number;
    readonly readers: number;
    readonly lastPoll: number | null;
}
interface EventSelection {
    readonly search: string;
    readonly limit: number;
}
export declare function listEvents(database: Database, { search, limit }: EventSelection): Promise<readonly EventListing[]>;
export {};
