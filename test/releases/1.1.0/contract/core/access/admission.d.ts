import { type EventChanges } from "../change-log/versions.ts";
import type { Database, Reader, Waits } from "../data/database.ts";
import type { Schema } from "../data/schema.ts";
import type { Session, SessionKey } from "./sessions.ts";
export interface Admission {
    readonly session: Session;
    readonly access: Access;
    readonly event: GrantedEvent | undefined;
}
export interface Access {
    readonly organizationIds: readonly string[];
    readonly eventIds: readonly string[];
}
export interface GrantedEvent extends EventChanges {
    readonly organization: string;
    readonly status: string;
    readonly newest: number | null;
}
export interface AdmissionQuestion {
    readonly key: SessionKey;
    readonly idle: number;
    readonly address: string;
    readonly eventId: string | undefined;
    readonly tables: readonly (keyof Schema)[];
}
export declare function lookUpAdmission(reader: Reader, { key, idle, address, eventId, tables }: AdmissionQuestion): Promise<Admission | undefined>;
export declare class Gate {
    #private;
    constructor(database: Database);
    lookUp(question: AdmissionQuestion, waits: Waits): Promise<Admission | undefined>;
}
interface GrantRow {
    readonly organization_id: string | null;
    readonly event_id: string | null;
    readonly ends: number | null;
    readonly networks: string | null;
}
export declare function accessOf(grants: readonly GrantRow[], { now, address }: {
    readonly now: number;
    readonly address: string;
}): Access;
export {};
