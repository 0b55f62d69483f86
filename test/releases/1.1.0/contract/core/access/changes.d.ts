import type { Kysely } from "kysely";
import type { Database } from "../data/database.ts";
import type { Schema } from "../data/schema.ts";
export interface Author {
    readonly actor: string;
    readonly address: string;
    readonly request?: string;
}
export interface Change extends Author {
    readonly action: ChangeAction;
    readonly account: string | null;
    readonly detail: string;
    readonly code?: string;
}
export type ChangeAction = "account-add" | "account-password" | "account-disable" | "account-enable" | "grant" | "withdraw" | "session-open" | "session-end" | "reload" | "resync";
type Writer = Pick<Database, "writer" | "dialect">;
export declare function recordChange({ writer, dialect }: Writer, change: Change): Promise<void>;
export declare function changing<T>({ writer }: Pick<Database, "writer">, work: (db: Kysely<Schema>) => Promise<T>, { denied }?: {
    readonly denied?: string;
}): Promise<T>;
export declare function rowOf({ actor, action, account, detail, address, request, code }: Change): {
    action: ChangeAction;
    account: string | null;
    address: string;
    actor: string;
    detail: string;
    request_id: string;
    code: string | null;
    status: number;
    milliseconds: number;
};
export {};
