interface Options {
    readonly status?: number;
    readonly headers?: Readonly<Record<string, string>>;
}
export declare function respondJson(value: unknown, options?: Options): Response;
export declare function respondIfChanged(request: Request, value: unknown): Response;
export {};
