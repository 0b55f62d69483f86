import type { Database } from "../data/database.ts";
import type { Role } from "../data/schema.ts";
import { type Author } from "./changes.ts";
export interface Account {
    readonly id: string;
    readonly username: string;
    readonly role: Role;
}
export interface Credentials extends Account {
    readonly password: string;
    readonly epoch: number;
}
export interface AccountListing {
    readonly username: string;
    readonly role: Role;
    readonly disabled: boolean;
    readonly sessions: number;
    readonly lastLogIn: number | null;
    readonly lastPoll: number | null;
}
export declare function createAccount({ writer, dialect }: Database, account: {
    username: string;
    role: Role;
    passwordHash: string;
}, by?: Author): Promise<Account>;
export declare function findCredentials({ writer }: Database, username: string): Promise<Credentials | undefined>;
export declare function findOperator({ writer }: Database): Promise<{
    id: string;
    epoch: number;
} | undefined>;
export declare function setPassword(database: Database, username: string, passwordHash: string, by?: Author): Promise<void>;
export declare function revokeSessions(database: Database, username: string, by?: Author): Promise<void>;
export declare function setDisabled(database: Database, username: string, disabled: boolean, { keepSessions, by }?: {
    readonly keepSessions?: boolean;
    readonly by?: Author;
}): Promise<void>;
export declare function listAccounts({ writer, dialect }: Database): Promise<AccountListing[]>;
export declare function findDemonstrationAccounts({ writer }: Database): Promise<string[]>;
export declare function findAccount(db: Database["writer"], username: string): Promise<Account>;
