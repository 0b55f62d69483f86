export type Row<_A = any, _B = any> = any;
export type compileRecord<_A = any, _B = any> = any;
