import { type ItemsProjection } from "./kinds/items.ts";
export declare const leanGuest: import("./projection.ts").Projection<"Guest">;
export declare const leanEvent: import("./projection.ts").Projection<"Event">;
export declare const leanItems: ItemsProjection;
