import type { Database } from "../data/database.ts";
import type { InstanceTable } from "../data/schema.ts";
export interface InstanceHealth {
    readonly id: string;
    readonly host: string;
    readonly pid: number;
    readonly url: string | null;
    readonly version: string;
    readonly started: number;
    readonly seen: number;
    readonly isGone: boolean;
    readonly isReady: boolean;
    readonly config: {
        readonly file: string;
        readonly hash: string;
        readonly since: number;
    };
    readonly lastReload: {
        readonly at: number;
        readonly result: string;
        readonly reason: string | null;
    } | null;
}
export type InstanceRow = Omit<InstanceTable, "started" | "seen">;
export declare function listInstances(database: Database): Promise<readonly InstanceHealth[]>;
export declare function renewInstance({ writer, dialect }: Database, row: InstanceRow, signal: AbortSignal): Promise<void>;
export declare function removeInstance({ writer, dialect }: Database, id: string, signal: AbortSignal): Promise<void>;
export declare function pruneInstances({ background, dialect }: Database, signal?: AbortSignal): Promise<void>;
