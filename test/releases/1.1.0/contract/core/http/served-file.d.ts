export interface ServedFile {
    readonly type: string;
    readonly plain: Representation;
    readonly gzip: Representation;
}
interface Representation {
    readonly bytes: Uint8Array<ArrayBuffer>;
    readonly etag: string;
}
export declare function servedFile(text: string, type: string): Promise<ServedFile>;
export declare function respondFile(request: Request, file: ServedFile, headers?: Readonly<Record<string, string>>): Response;
export {};
