import type { Database, Reader } from "../data/database.ts";
import type { EndReason, Role } from "../data/schema.ts";
export type SessionState = "live" | "paused" | "idle" | "expired" | EndReason;
export interface SessionListing {
    readonly id: string;
    readonly username: string;
    readonly role: Role;
    readonly began: number;
    readonly used: number | null;
    readonly ends: number;
    readonly state: SessionState;
    readonly replaced: boolean;
}
interface ListOptions {
    readonly idle?: number;
    readonly limit?: number;
}
export declare function listSessions(database: Database, username?: string, { idle, limit }?: ListOptions): Promise<SessionListing[]>;
export declare function listExpiring(database: Database, seconds: number): Promise<SessionListing[]>;
export declare function findSessionEnds(database: Database): Promise<ReadonlyMap<string, number>>;
declare function sessionsOfAccounts({ db, dialect }: Reader): import("kysely").SelectQueryBuilder<import("../data/schema.ts").Schema, "account" | "session", {
    created: number;
    disabled: number;
    expires: number;
    id: string;
    now: number;
    reason: EndReason | null;
    role: Role;
    used: number | null;
    username: string;
}>;
type Row = Awaited<ReturnType<ReturnType<typeof sessionsOfAccounts>["execute"]>>[number];
export declare function stateOf({ now, created, used, expires, reason, disabled }: Omit<Row, "id" | "username" | "role">, idle: number): SessionState;
export {};
