export type KnownPage<_A = any, _B = any> = any;
export type FindKnown<_A = any, _B = any> = any;
export type prepareKnown<_A = any, _B = any> = any;
