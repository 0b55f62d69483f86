import type { Account } from "./accounts.ts";
import type { GrantedEvent } from "./admission.ts";
export type Policy = {
    readonly kind: "anyone";
} | {
    readonly kind: "signed-in";
} | {
    readonly kind: "operator";
} | {
    readonly kind: "granted";
    readonly organizations: readonly string[];
} | {
    readonly kind: "service-user";
    readonly username: string;
    readonly organization: string;
};
export type FamilyPolicy = Extract<Policy, {
    readonly kind: "granted" | "service-user";
}>;
export declare const anyone: Policy;
export declare const signedIn: Policy;
export declare const operatorOnly: Policy;
export declare function granted(organizations: readonly string[]): FamilyPolicy;
export declare function serviceUser(username: string, organization: string): FamilyPolicy;
export interface Denial {
    readonly code: "unauthenticated" | "not_operator" | "not_service_user" | "event_not_found" | "connector_not_enabled";
    readonly detail: string;
}
export declare const unauthenticated: Denial;
export declare function denyCaller(policy: Policy, account: Omit<Account, "id"> | undefined): Denial | undefined;
export declare function denyEvent(policy: Policy, event: Pick<GrantedEvent, "organization"> | undefined): Denial | undefined;
export declare function organizationsOf(policy: Policy): readonly string[] | undefined;
export declare function serviceUsersOf(policies: readonly Policy[]): ReadonlyMap<string, string[]>;
export declare function describePolicy(policy: Policy): string;
