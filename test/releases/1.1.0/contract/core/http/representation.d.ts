import { type Answer, type Bytes } from "./answer.ts";
export interface Content {
    readonly bytes: Bytes;
    readonly etag: string | undefined;
    readonly compressed: Partial<Record<Encoding, Promise<Bytes>>>;
}
export declare function represent(content: Content, headers: Readonly<Record<string, string>>, wanted: Headers): Promise<Answer>;
export declare function etagOf(bytes: Uint8Array): string;
export declare class EntityTags {
    #private;
    constructor([secret]: readonly string[]);
    of(bytes: Uint8Array, version?: string): string;
}
export declare function matchesEtag(ifNoneMatch: string | null, etag: string): boolean;
declare const compressors: {
    zstd: (bytes: Bytes) => Promise<NonSharedBuffer>;
    br: (bytes: Bytes) => Promise<NonSharedBuffer>;
    gzip: (bytes: Bytes) => Promise<NonSharedBuffer>;
};
export type Encoding = keyof typeof compressors;
export declare function chooseEncoding(accept: string | null): Encoding | undefined;
export {};
