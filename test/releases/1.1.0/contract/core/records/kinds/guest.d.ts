export declare const address: import("../record-type.ts").RecordType<"AddressDetail", {
    readonly country: import("../fields.ts").Field<string, "record.country">;
    readonly line1: import("../fields.ts").Field<string, "record.line1">;
    readonly line2: import("../fields.ts").Field<string | null, "record.line2">;
    readonly line3: import("../fields.ts").Field<string | null, "record.line3">;
    readonly line4: import("../fields.ts").Field<string | null, "record.line4">;
    readonly name: import("../fields.ts").Field<string, "record.name">;
    readonly postcode: import("../fields.ts").Field<string, "record.postcode">;
    readonly recipient_name: import("../fields.ts").Field<string, "record.recipient_name">;
    readonly state: import("../fields.ts").Field<string | null, "record.state">;
    readonly town: import("../fields.ts").Field<string, "record.town">;
}> & {
    readonly table: "address";
};
export declare const guest: import("../record-type.ts").RecordType<"Guest", {
    readonly companyName: import("../fields.ts").Field<string | null, "record.company_name">;
    readonly consentAsked: import("../fields.ts").Field<number, "consent.asked">;
    readonly consentChannels: import("../fields.ts").Field<string, "consent.channels">;
    readonly consentStatus: import("../fields.ts").Field<string, "consent.status">;
    readonly created: import("../fields.ts").Field<number, "record.created">;
    readonly email: import("../fields.ts").Field<string, "record.email">;
    readonly eventId: import("../fields.ts").Field<string, "record.event_id">;
    readonly externalId: import("../fields.ts").Field<string, "record.external_id">;
    readonly firstName: import("../fields.ts").Field<string, "record.first_name">;
    readonly giftAidAddress: import("../fields.ts").Field<never, string>;
    readonly id: import("../fields.ts").Field<string, "record.id">;
    readonly lastName: import("../fields.ts").Field<string, "record.last_name">;
    readonly mainAddress: import("../fields.ts").Field<never, string>;
    readonly mobile: import("../fields.ts").Field<string, "record.mobile">;
    readonly smsOptIn: import("../fields.ts").Field<number, "record.sms_opt_in">;
    readonly taxReceiptAidAddress: import("../fields.ts").Field<never, string>;
    readonly updated: import("../fields.ts").Field<number, "record.updated">;
}> & {
    readonly table: "guest";
};
