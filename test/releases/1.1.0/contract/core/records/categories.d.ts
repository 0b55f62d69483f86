import type { Schema } from "../data/schema.ts";
import { type ItemCategory } from "./kinds/items.ts";
export type Category = "guests" | ItemCategory;
export declare const categories: Readonly<Record<Category, keyof Schema>>;
