import type { Plugin } from "../routes/contract.ts";
export declare function conformanceProblems(plugin: Plugin, settings: unknown): Promise<string[]>;
