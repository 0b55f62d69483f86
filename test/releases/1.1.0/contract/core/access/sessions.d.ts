import type { Account } from "./accounts.ts";
import type { Database } from "../data/database.ts";
export interface Session {
    readonly id: string;
    readonly account: Account;
    readonly expires: number;
    readonly now: number;
}
export interface OpenedSession {
    readonly cookie: string;
    readonly token: string;
    readonly expires: number;
}
export interface SessionKey {
    readonly session: string;
    readonly epoch: number;
    readonly account: string;
    readonly username?: string | undefined;
}
export interface SessionSettings {
    readonly secrets: readonly string[];
    readonly lifetime: number;
    readonly idle?: number;
    readonly cookie: string;
    readonly secure: boolean;
}
export declare class Sessions {
    #private;
    constructor(database: Database, settings: SessionSettings);
    read(headers: Headers): Promise<SessionKey | undefined>;
    get idle(): number;
    open(account: {
        readonly id: string;
        readonly epoch: number;
        readonly username?: string;
    }, signal?: AbortSignal): Promise<OpenedSession>;
    end(session: Session): Promise<string>;
    forget({ token }: OpenedSession): Promise<void>;
}
export declare function insertSession({ writer, dialect }: Database, accountId: string, lifetime: number): Promise<string>;
export declare function pruneSessions({ background, dialect }: Database, signal?: AbortSignal): Promise<void>;
