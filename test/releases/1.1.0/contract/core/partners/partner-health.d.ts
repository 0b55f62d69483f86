import type { Role } from "../data/schema.ts";
import type { PartnerState } from "./definitions.ts";
export interface PartnerHealth {
    readonly accountId: string;
    readonly account: string;
    readonly role: Role;
    readonly state: PartnerState;
    readonly reason: string;
    readonly since: number | null;
    readonly lastPoll: number | null;
    readonly lastCompleted: number | null;
    readonly lastLogIn: number | null;
    readonly pollInterval: number | null;
    readonly lists: number;
    readonly stuck: number;
    readonly behind: number;
    readonly lag: number;
    readonly daysUntilResync: number | null;
    readonly deletionsWaiting: number;
    readonly moreDeletionsWaiting: boolean;
    readonly records: number;
    readonly lastError: LastError | null;
    readonly refused: Refusal | null;
    readonly sessionEnds: number | null;
    readonly sessions: number;
}
export interface LastError {
    readonly at: number;
    readonly status: number;
    readonly code: string;
    readonly requestId: string;
}
export interface Refusal {
    readonly at: number;
    readonly code: string | null;
    readonly requestId: string | null;
    readonly session: string | null;
    readonly address: string | null;
}
export interface HealthOptions {
    readonly retention: number;
    readonly at?: number | undefined;
}
