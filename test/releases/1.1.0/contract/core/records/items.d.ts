import { type ItemsProjection } from "./kinds/items.ts";
import { type Resource } from "./resource.ts";
export declare const items: Resource<ItemsProjection>;
