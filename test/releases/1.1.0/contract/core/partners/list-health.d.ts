import type { Snapshot } from "../data/database.ts";
import type { ListKind, Role } from "../data/schema.ts";
import { type ListState } from "./definitions.ts";
import type { LastError } from "./partner-health.ts";
export interface ListHealth {
    readonly accountId: string;
    readonly account: string;
    readonly role: Role;
    readonly eventId: string | null;
    readonly eventName: string | null;
    readonly eventStatus: string | null;
    readonly organization: string | null;
    readonly family: string;
    readonly prefix: string;
    readonly list: string;
    readonly kind: ListKind;
    readonly state: ListState;
    readonly hasGrant: boolean;
    readonly lastPoll: number | null;
    readonly pollInterval: number | null;
    readonly actualInterval: number | null;
    readonly walkStarted: number | null;
    readonly walkSince: number | null;
    readonly walkCompleted: number | null;
    readonly acknowledged: number | null;
    readonly covered: number | null;
    readonly newest: number | null;
    readonly lag: number;
    readonly daysUntilResync: number | null;
    readonly deletionsWaiting: number;
    readonly moreDeletionsWaiting: boolean;
    readonly records: number;
    readonly lastError: LastError | null;
}
export interface ListSelection {
    readonly accountId?: string | undefined;
    readonly eventId?: string | undefined;
}
export declare function readLists(snapshot: Snapshot, { accountId, eventId }: ListSelection, { retention, at }: {
    readonly retention: number;
    readonly at?: number | undefined;
}): Promise<readonly ListHealth[]>;
