export declare const event: import("../record-type.ts").RecordType<"Event", {
    readonly changed: import("../fields.ts").Field<never, "latest.changed">;
    readonly created: import("../fields.ts").Field<number, "record.created">;
    readonly currency: import("../fields.ts").Field<string, "record.currency">;
    readonly ends: import("../fields.ts").Field<number, "record.ends">;
    readonly externalId: import("../fields.ts").Field<string | null, "record.external_id">;
    readonly id: import("../fields.ts").Field<string, "record.id">;
    readonly name: import("../fields.ts").Field<string, "record.name">;
    readonly starts: import("../fields.ts").Field<number, "record.starts">;
    readonly status: import("../fields.ts").Field<string, "record.status">;
    readonly timezone: import("../fields.ts").Field<string, "record.timezone">;
    readonly updated: import("../fields.ts").Field<number, "record.updated">;
}> & {
    readonly table: "event";
};
