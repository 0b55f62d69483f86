import type { Database, Snapshot } from "../data/database.ts";
export interface ErrorGroup {
    readonly status: number;
    readonly code: string;
    readonly account: string | null;
    readonly route: string | null;
    readonly count: number;
    readonly first: number;
    readonly last: number;
    readonly lastRequestId: string;
}
interface ErrorSelection {
    readonly since: number;
    readonly account?: string | undefined;
}
export declare function listErrors(database: Database, selection: ErrorSelection): Promise<readonly ErrorGroup[]>;
export declare function readErrorGroups({ db, run }: Snapshot, { since, account }: ErrorSelection): Promise<readonly ErrorGroup[]>;
export {};
