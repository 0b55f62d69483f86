import type { Selectable } from "kysely";
import type { AccountListing } from "../access/accounts.ts";
import type { AccessExplanation, AccessQuestion } from "../access/explain-access.ts";
import type { GrantLimits, GrantListing, GrantTarget } from "../access/grants.ts";
import type { SessionListing } from "../access/session-list.ts";
import type { ConfigProblem } from "../config/problem.ts";
import type { AuditLogTable, Role } from "../data/schema.ts";
import type { DisclosureReport } from "../disclosures/find-disclosures.ts";
import type { Overdue } from "../disclosures/overdue.ts";
import type { InstanceHealth } from "../partners/instances.ts";
import type { EventListing } from "../partners/list-events.ts";
import type { ListHealth } from "../partners/list-health.ts";
import type { ErrorGroup } from "../partners/list-errors.ts";
import type { EventReads, Period } from "../partners/list-reads.ts";
import type { PartnerHealth } from "../partners/partner-health.ts";
import type { PartnerReport } from "../partners/partner-report.ts";
import type { MinuteCounts } from "../partners/traffic.ts";
export interface Operations {
    partners(): Promise<readonly PartnerHealth[]>;
    partner(username: string): Promise<PartnerReport>;
    limits(username: string): Promise<AccountLimits>;
    events(search: string, limit: number): Promise<readonly EventListing[]>;
    readers(eventId: string): Promise<readonly ListHealth[]>;
    reads(eventId: string, period: Period): Promise<readonly EventReads[]>;
    errors(selection: {
        readonly since: number;
    }): Promise<readonly ErrorGroup[]>;
    traffic(minutes: number): Promise<readonly MinuteCounts[]>;
    instances(): Promise<readonly InstanceHealth[]>;
    explain(question: AccessQuestion): Promise<ExplainedAccess>;
    overdue(): Promise<readonly Overdue[]>;
    accounts(): Promise<readonly AccountListing[]>;
    sessions(username: string): Promise<readonly SessionListing[]>;
    endingSessions(): Promise<readonly SessionListing[]>;
    grants(username: string): Promise<readonly GrantListing[]>;
    audit(query: AuditFilter): Promise<readonly AuditRow[]>;
    disclosures(guest: string, eventId?: string): Promise<DisclosureReport>;
    addAccount(account: NewAccount): Promise<void>;
    setPassword(username: string, password: string): Promise<void>;
    disable(username: string, options?: {
        readonly undo?: boolean;
    }): Promise<void>;
    endSession(id: string): Promise<void>;
    endSessions(username: string): Promise<void>;
    grant(username: string, target: GrantTarget, limits?: GrantLimits): Promise<void>;
    withdraw(username: string, target: GrantTarget): Promise<void>;
    checkDraft(text: string): Promise<DraftCheck>;
}
export interface AccountLimits {
    readonly burst: number;
    readonly quota: number;
    readonly concurrent: number;
    readonly pollInterval: number | null;
    readonly isOwn: boolean;
}
export interface ExplainedAccess extends Omit<AccessExplanation, "routes"> {
    readonly routes: readonly (AccessExplanation["routes"][number] & {
        readonly setting: string;
    })[];
}
export type AuditRow = Selectable<AuditLogTable>;
export interface AuditFilter {
    readonly account?: string;
    readonly event?: string;
    readonly request?: string;
    readonly status?: number;
    readonly address?: string;
    readonly action?: string;
    readonly actor?: string;
    readonly since?: number;
    readonly until?: number;
    readonly before?: {
        readonly at: number;
        readonly seq: number;
    };
    readonly limit: number;
}
export interface NewAccount {
    readonly username: string;
    readonly role: Role;
    readonly password: string;
}
export interface DraftCheck {
    readonly problems: readonly ConfigProblem[];
    readonly errors: readonly string[];
    readonly warnings: readonly {
        readonly about: string;
        readonly message: string;
    }[];
    readonly isGood: boolean;
    readonly plugins: number;
    readonly routes: number;
    readonly fixed: readonly {
        readonly name: string;
        readonly change: string;
    }[];
    readonly changes: readonly string[];
    readonly perAccount: readonly {
        readonly accounts: readonly string[];
        readonly changes: readonly string[];
    }[];
}
