export type everything<_A = any, _B = any> = any;
export type readSteps<_A = any, _B = any> = any;
export type ClockStep<_A = any, _B = any> = any;
export type latestBefore<_A = any, _B = any> = any;
export type sinceBefore<_A = any, _B = any> = any;
