export type EventChanges<_A = any, _B = any> = any;
export type mostChanges<_A = any, _B = any> = any;
export type markRange<_A = any, _B = any> = any;
export type recentChanges<_A = any, _B = any> = any;
export type VersionsOptions<_A = any, _B = any> = any;
export type Versions<_A = any, _B = any> = any;
export type foldEvent<_A = any, _B = any> = any;
export type findSettled<_A = any, _B = any> = any;
