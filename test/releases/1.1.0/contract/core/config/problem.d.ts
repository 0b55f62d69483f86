import type { FileStates } from "./files.ts";
export interface ConfigProblem {
    readonly file: string;
    readonly line: number;
    readonly column: number;
    readonly message: string;
    readonly excerpt?: string;
}
export declare class ConfigError extends Error {
    #private;
    readonly name = "ConfigError";
    readonly problems: readonly ConfigProblem[];
    constructor(problems: readonly ConfigProblem[], files: FileStates);
    get files(): FileStates;
}
