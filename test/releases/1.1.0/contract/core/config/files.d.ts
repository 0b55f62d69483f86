export type FileStates = ReadonlyMap<string, string>;
export declare function readRegularFile(path: string): {
    readonly text: string;
    readonly mode: number;
};
export declare function stateOf(path: string): string;
