import { type Declaration, type Field, type Fields } from "./fields.ts";
export interface RecordType<Name extends string = string, F extends Fields = Fields> {
    readonly name: Name;
    readonly table: string | undefined;
    readonly fields: F;
}
export declare function recordType<const Name extends string, const D extends Readonly<Record<string, Declaration>>, const Table extends string | undefined = undefined>({ name, table }: {
    readonly name: Name;
    readonly table?: Table;
}, declarations: D): RecordType<Name, FieldsOf<D>> & {
    readonly table: Table;
};
type FieldsOf<D extends Readonly<Record<string, Declaration>>> = {
    readonly [Name in keyof D & string]: D[Name] extends Declaration<infer Stored, infer Path> ? Field<Stored, Path extends "" ? `record.${SnakeCase<Name>}` : Path> : never;
};
type SnakeCase<Text extends string> = Text extends `${infer First}${infer Rest}` ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}` : "";
export {};
