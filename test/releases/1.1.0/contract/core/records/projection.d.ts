import type { GenericSchema } from "valibot";
import { type Row } from "./compile-record.ts";
import { type Fields } from "./fields.ts";
import type { RecordType } from "./record-type.ts";
export interface Projection<Name extends string = string> {
    readonly record: Name;
    readonly fields: readonly string[];
    readonly columns: readonly string[];
    readonly searched: readonly string[];
    readonly schema: ObjectSchema;
    readonly rewritten?: true;
    project(row: Row): Record<string, unknown>;
}
type ObjectSchema = GenericSchema<Record<string, unknown>> & {
    readonly entries: Readonly<Record<string, unknown>>;
};
export declare function columnsOf({ columns }: Projection, relation: string): string[];
export declare function pick<Name extends string, F extends Fields>(record: RecordType<Name, F>, names: readonly (keyof F & string)[]): Projection<Name>;
export declare function whole<Name extends string>(record: RecordType<Name>): Projection<Name>;
export declare function rewritten<Name extends string>(projection: Projection<Name>, schema: ObjectSchema, rewrite: (record: Record<string, unknown>) => Record<string, unknown>): Projection<Name>;
export {};
