import { type Answer } from "./answer.ts";
export declare const longestBody = 4096;
export declare const longestUrl = 8192;
export declare const problems: {
    readonly invalid_parameter: {
        readonly status: 400;
        readonly title: "A parameter is not valid";
    };
    readonly invalid_body: {
        readonly status: 400;
        readonly title: "The request body is not valid";
        readonly detail: "The body is not JSON.";
    };
    readonly malformed_request: {
        readonly status: 400;
        readonly title: "The request cannot be read";
        readonly detail: "Send one Host header with a name and nothing else.";
    };
    readonly unauthenticated: {
        readonly status: 401;
        readonly title: "Not logged in";
    };
    readonly invalid_credentials: {
        readonly status: 401;
        readonly title: "Wrong user name or password";
    };
    readonly not_service_user: {
        readonly status: 403;
        readonly title: "Not the service user of this namespace";
    };
    readonly not_operator: {
        readonly status: 403;
        readonly title: "Not an operator";
    };
    readonly connector_not_enabled: {
        readonly status: 403;
        readonly title: "Connector not turned on";
    };
    readonly event_not_found: {
        readonly status: 404;
        readonly title: "No such event";
    };
    readonly not_available: {
        readonly status: 404;
        readonly title: "Not available";
    };
    readonly not_found: {
        readonly status: 404;
        readonly title: "No such address";
        readonly detail: "There is nothing at this URL. Check each segment of the path.";
    };
    readonly method_not_allowed: {
        readonly status: 405;
        readonly title: "Method not allowed";
    };
    readonly cursor_expired: {
        readonly status: 410;
        readonly title: "The cursor has expired";
        readonly detail: "A cursor is valid for a day. Start again without it, with the same since as before.";
    };
    readonly resync_required: {
        readonly status: 410;
        readonly title: "Deletions are not known that far back";
        readonly detail: string;
    };
    readonly body_too_large: {
        readonly status: 413;
        readonly title: "The request body is too large";
        readonly detail: "A body may have up to 4096 bytes.";
    };
    readonly url_too_long: {
        readonly status: 414;
        readonly title: "The address is too long";
        readonly detail: "Path and query may have up to 8192 characters.";
    };
    readonly unsupported_media_type: {
        readonly status: 415;
        readonly title: "The request body is of the wrong type";
        readonly detail: "Send JSON with the header content-type: application/json.";
    };
    readonly headers_too_large: {
        readonly status: 431;
        readonly title: "The request headers are too large";
        readonly detail: "The request line and the headers may have up to 16 KiB together.";
    };
    readonly misdirected_request: {
        readonly status: 421;
        readonly title: "Not for this service";
        readonly detail: "Unknown Host header.";
    };
    readonly too_fast: {
        readonly status: 429;
        readonly title: "Too many requests in a second";
        readonly detail: "Too many requests in one second. Send one after the other, or wait for Retry-After.";
    };
    readonly too_many_requests: {
        readonly status: 429;
        readonly title: "Too many requests in an hour";
        readonly detail: "The requests of this hour are used up. Request only changes, with since, less often.";
    };
    readonly too_many_at_once: {
        readonly status: 429;
        readonly title: "Too many requests at once";
        readonly detail: "You have as many requests running as you may. Wait for one to end.";
    };
    readonly too_many_log_ins: {
        readonly status: 429;
        readonly title: "Too many log-ins";
        readonly detail: string;
    };
    readonly internal: {
        readonly status: 500;
        readonly title: "Something went wrong here";
        readonly detail: "Internal error. Give the request id to the operator.";
    };
    readonly unavailable: {
        readonly status: 503;
        readonly title: "Cannot answer now";
        readonly detail: "The service cannot answer now. Nothing was changed; try again shortly.";
    };
};
export type ProblemCode<_Known = keyof typeof problems> = any;
export interface ParameterError {
    readonly parameter: string;
    readonly value: string | null;
    readonly detail: string;
}
interface ProblemOptions {
    readonly errors?: readonly ParameterError[];
    readonly headers?: Readonly<Record<string, string>>;
}
export declare const retryLater: ProblemOptions;
export declare class Problem extends Error {
    readonly name = "Problem";
    readonly code: ProblemCode;
    readonly errors: readonly ParameterError[] | undefined;
    readonly headers: Readonly<Record<string, string>>;
    constructor(code: ProblemCode, detail: string, { errors, headers }?: ProblemOptions);
    get status(): number;
    toJSON(requestId: string): Record<string, unknown>;
    toAnswer(requestId: string): Answer;
}
export {};
