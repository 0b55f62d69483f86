import * as v from "valibot";
export declare const pathSegment: v.GenericSchema<unknown, string>;
export declare const slug: v.GenericSchema<unknown, string>;
export declare const username: v.GenericSchema<unknown, string>;
export declare const wrongName = "A user name has at most 100 characters: lower-case letters, digits and . _ @ -. Nothing was changed.";
