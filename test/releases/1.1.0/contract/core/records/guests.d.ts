import { type Projection } from "./projection.ts";
import { type Resource } from "./resource.ts";
export declare const guests: Resource<Projection<"Guest">>;
