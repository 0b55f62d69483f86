import type { PartnerHourTable } from "../data/schema.ts";
import type { ErrorGroup } from "./list-errors.ts";
import type { ListHealth } from "./list-health.ts";
import type { PartnerHealth } from "./partner-health.ts";
export interface PartnerReport {
    readonly health: PartnerHealth;
    readonly at: number;
    readonly lists: readonly ListHealth[];
    readonly hours: readonly Omit<PartnerHourTable, "account_id">[];
    readonly errors: readonly (ErrorGroup & {
        readonly advice: string;
    })[];
    readonly grants: readonly GrantEnd[];
    readonly lastSession: SessionEnd | null;
    readonly sentences: readonly string[];
}
export interface GrantEnd {
    readonly target: string;
    readonly ends: number;
}
export interface SessionEnd {
    readonly ended: number;
    readonly reason: string | null;
}
