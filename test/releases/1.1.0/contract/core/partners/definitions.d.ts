import type { SyncStateTable } from "../data/schema.ts";
export type PartnerState = (typeof worstFirst)[number];
export declare const worstFirst: readonly ["locked out", "stuck", "silent", "behind", "never polled", "in sync", "disabled"];
export type ListState = "stuck" | "behind" | "silent" | "in sync" | "unread";
export declare const thresholds: {
    readonly interval: 900;
    readonly grace: 60;
    readonly silence: {
        readonly intervals: 3;
        readonly least: 3600;
    };
    readonly stuckIntervals: 10;
    readonly abandoned: number;
};
export type SyncRow = Readonly<Omit<SyncStateTable, "records"> & {
    readonly records: number;
}>;
export declare function lastRequest({ last_poll, error_at }: Pick<SyncRow, "last_poll" | "error_at">): number;
export declare function silentFrom(row: Pick<SyncRow, "last_poll" | "error_at" | "poll_interval">): number;
export declare function isStuck(row: SyncRow, now: number): boolean;
export declare function isBehind(row: SyncRow, newest: number | null, now: number): boolean;
export declare function stateOfList(row: SyncRow, newest: number | null, now: number): ListState;
export declare function counts(row: SyncRow, now: number): boolean;
export interface PartnerFacts {
    readonly now: number;
    readonly isDisabled: boolean;
    readonly refused: number | null;
    readonly lastPoll: number | null;
    readonly lastError: number | null;
    readonly lastLogIn: number | null;
    readonly silentFrom: readonly number[];
    readonly stuck: number;
    readonly behind: number;
}
export declare function stateOfPartner(facts: PartnerFacts): PartnerState;
export declare function daysUntilResync(acknowledged: number, { completeSince, now, retention }: {
    readonly completeSince: number;
    readonly now: number;
    readonly retention: number;
}): number;
