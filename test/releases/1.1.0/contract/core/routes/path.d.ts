export interface PathPattern {
    readonly text: string;
    readonly parameters: readonly string[];
    readonly expression: RegExp;
    readonly shape: string;
}
export declare function compilePath(text: string): PathPattern;
