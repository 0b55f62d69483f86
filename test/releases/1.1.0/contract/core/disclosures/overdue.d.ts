import type { Database } from "../data/database.ts";
export interface Overdue {
    readonly account: string;
    readonly event: {
        readonly id: string;
        readonly name: string | null;
    };
    readonly guests: number;
    readonly first: number;
    readonly last: number;
}
export declare function countOverdue(database: Database, days: number): Promise<ReadonlyMap<string, number>>;
export declare function listOverdue(database: Database, days: number): Promise<Overdue[]>;
