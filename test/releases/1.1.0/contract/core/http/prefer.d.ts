export declare function readPreferences(headers: Headers): ReadonlyMap<string, string>;
