import type { Database, Snapshot } from "../data/database.ts";
export interface MinuteCounts {
    readonly minute: number;
    readonly requests: number;
    readonly errors: number;
    readonly changes: number;
}
export declare function trafficOf(database: Database, minutes: number): Promise<readonly MinuteCounts[]>;
export declare function readTraffic({ db, dialect, run }: Snapshot, minutes: number): Promise<readonly MinuteCounts[]>;
