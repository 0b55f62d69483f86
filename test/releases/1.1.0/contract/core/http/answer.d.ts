import { Readable } from "node:stream";
export type Bytes = Uint8Array<ArrayBuffer>;
export interface Answer {
    readonly status: number;
    readonly headers: Readonly<Record<string, string | readonly string[]>>;
    readonly body: Bytes | ReadableStream<Uint8Array> | Readable | null;
}
export interface Peer {
    readonly address: string;
    readonly whenGone?: (listener: (sent: boolean) => void) => void;
}
export type Responder = (request: Request, peer: Peer) => Promise<Answer>;
export declare function answerJson(value: unknown, { status, headers }?: Partial<Pick<Answer, "status" | "headers">>): Answer;
export declare const jsonType: {
    "content-type": string;
};
export declare const privateHeaders: {
    "cache-control": string;
    vary: string;
};
export declare function withoutBody({ status, headers }: Answer): Answer;
export declare function toResponse({ status, headers, body }: Answer): Response;
export declare function fromResponse(response: Response): Promise<Answer>;
