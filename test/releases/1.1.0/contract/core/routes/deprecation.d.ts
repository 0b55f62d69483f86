import type { PathPattern } from "./path.ts";
import type { Deprecation } from "./contract.ts";
export declare function refuseBadDeprecation(deprecation: Deprecation | undefined, { parameters }: PathPattern): void;
export declare function describeDeprecation({ since, sunset, successor }: Deprecation): string;
export declare function isPastSunset({ sunset }: Deprecation, now?: number): boolean;
export declare function deprecationHeaders({ since, sunset, successor }: Deprecation, { origin, params }: {
    readonly origin: string;
    readonly params: Readonly<Record<string, string>> | undefined;
}): {
    readonly deprecation: string;
    readonly sunset: string;
    readonly link?: string;
};
