export type DatabaseOptions<_A = any, _B = any> = any;
export type ConnectionNumbers<_A = any, _B = any> = any;
export type Reader<_A = any, _B = any> = any;
export type Snapshot<_A = any, _B = any> = any;
export type Waits<_A = any, _B = any> = any;
export type Runnable<_A = any, _B = any> = any;
export type Database<_A = any, _B = any> = any;
