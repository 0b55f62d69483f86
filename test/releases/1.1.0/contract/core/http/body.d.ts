import { Problem } from "./problems.ts";
export declare function readJson(request: Request): Promise<unknown>;
export declare function readForm(request: Request, longest?: number): Promise<FormData>;
export declare function bodyTooLarge(longest: number): Problem;
