export type Cell = string | number | boolean | null;
export declare function csv(rows: readonly (readonly Cell[])[]): string;
