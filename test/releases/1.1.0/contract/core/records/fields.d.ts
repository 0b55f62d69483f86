import * as v from "valibot";
export type Kind = "uuid" | "text" | "number" | "flag" | "document" | "object";
export interface Declaration<Stored = unknown, Path extends string = string> {
    readonly kind: Kind;
    readonly description: string;
    readonly example: unknown;
    readonly schema: v.GenericSchema;
    readonly path: Path;
    readonly isNullable: boolean;
    readonly isSearched: boolean;
    readonly isFormatted: boolean;
    readonly isComputed?: true;
    readonly otherwise?: string;
    readonly record?: NestedRecord;
    readonly stored?: Stored;
}
export interface Field<Stored = unknown, Path extends string = string> extends Declaration<Stored, Path> {
    readonly relation: string;
    readonly column: string;
    readonly columns: readonly string[];
}
export type Fields = Readonly<Record<string, Field>>;
interface NestedRecord {
    readonly name: string;
    readonly fields: Fields;
}
export declare function uuid(description: string, example: string): Declaration<string, "">;
export declare function text(description: string, example: string | null): Declaration<string, "">;
export declare function formatted(description: string, example: string): Declaration<string, "">;
export declare function integer(description: string, example: number | null): Declaration<number, "">;
export declare function decimal(description: string, example: number | null): Declaration<number, "">;
export declare function flag(description: string, example: boolean): Declaration<number, "">;
export declare function list(description: string, { of, example }: {
    readonly of: v.GenericSchema;
    readonly example: readonly unknown[];
}): Declaration<string, "">;
export declare function nested<Relation extends string>(description: string, record: NestedRecord, { relation, ...given }: {
    readonly relation: Relation;
    readonly example?: null;
}): Declaration<never, Relation>;
export declare function nullable<Stored, Path extends string>(field: Declaration<Stored, Path>): Declaration<Stored | null, Path>;
export declare function searched<D extends Declaration>(field: D): D;
export declare function otherwise<D extends Declaration>(value: string, field: D): D;
export declare function from<Stored, Path extends string>(path: Path, field: Declaration<Stored>): Declaration<Stored, Path>;
export declare function computed<Stored, Path extends string>(path: Path, field: Declaration<Stored>): Declaration<never, Path>;
export declare function narrowed<D extends Declaration>(schema: v.GenericSchema, field: D): D;
export declare function locate(name: string, field: Declaration): Field;
export declare function objectOf(fields: Fields): v.StrictObjectSchema<{
    [k: string]: v.GenericSchema;
}, undefined>;
export declare function exampleObject(fields: Fields): Readonly<Record<string, unknown>>;
export declare function relationsOf(columns: readonly string[]): string[];
export {};
