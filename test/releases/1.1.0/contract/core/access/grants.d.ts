import { type Access } from "./admission.ts";
import { type Author } from "./changes.ts";
import type { Database, Snapshot } from "../data/database.ts";
export type GrantTarget = {
    readonly organization: string;
} | {
    readonly event: string;
};
export interface GrantListing {
    readonly username: string;
    readonly target: "organization" | "event";
    readonly name: string;
    readonly ends: number | null;
    readonly networks: readonly string[] | null;
}
export interface GrantLimits {
    readonly ends?: number;
    readonly networks?: readonly string[];
}
export declare function findAccess({ db, dialect, run }: Snapshot, accountId: string, address: string): Promise<Access>;
export declare function grantAccess(database: Database, username: string, target: GrantTarget, { ends, networks }?: GrantLimits, by?: Author): Promise<void>;
export declare function withdrawAccess(database: Database, username: string, target: GrantTarget, by?: Author): Promise<void>;
export declare function listGrants({ writer }: Database, username?: string): Promise<GrantListing[]>;
