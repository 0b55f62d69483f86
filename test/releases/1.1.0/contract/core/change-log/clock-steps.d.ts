export type ClockStep<_A = any, _B = any> = any;
export type latestBefore<_A = any, _B = any> = any;
export type sinceBefore<_A = any, _B = any> = any;
