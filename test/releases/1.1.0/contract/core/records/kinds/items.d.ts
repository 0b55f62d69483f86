import { type Projection } from "../projection.ts";
export declare const buyNowItem: import("../record-type.ts").RecordType<"BuyNowItem", {
    readonly categories: import("../fields.ts").Field<string, "record.categories">;
    readonly created: import("../fields.ts").Field<number, "record.created">;
    readonly description: import("../fields.ts").Field<string | null, "record.description">;
    readonly estimate: import("../fields.ts").Field<number | null, "record.estimate">;
    readonly eventId: import("../fields.ts").Field<string, "record.event_id">;
    readonly externalId: import("../fields.ts").Field<string | null, "record.external_id">;
    readonly id: import("../fields.ts").Field<string, "record.id">;
    readonly irsSubcategory: import("../fields.ts").Field<string | null, "record.irs_subcategory">;
    readonly name: import("../fields.ts").Field<string, "record.name">;
    readonly price: import("../fields.ts").Field<number, "record.price">;
    readonly quantity: import("../fields.ts").Field<number | null, "record.quantity">;
    readonly revenueStreamType: import("../fields.ts").Field<string, "record.revenue_stream_type">;
    readonly status: import("../fields.ts").Field<string, "record.status">;
    readonly taxRate: import("../fields.ts").Field<number | null, "record.tax_rate">;
    readonly termsDescription: import("../fields.ts").Field<string | null, "record.terms_description">;
    readonly updated: import("../fields.ts").Field<number, "record.updated">;
}> & {
    readonly table: "buy_now_item";
};
export declare const auctionItem: import("../record-type.ts").RecordType<"AuctionItem", {
    readonly categories: import("../fields.ts").Field<string, "record.categories">;
    readonly closes: import("../fields.ts").Field<number | null, "record.closes">;
    readonly created: import("../fields.ts").Field<number, "record.created">;
    readonly description: import("../fields.ts").Field<string | null, "record.description">;
    readonly estimate: import("../fields.ts").Field<number | null, "record.estimate">;
    readonly eventId: import("../fields.ts").Field<string, "record.event_id">;
    readonly externalId: import("../fields.ts").Field<string | null, "record.external_id">;
    readonly id: import("../fields.ts").Field<string, "record.id">;
    readonly increments: import("../fields.ts").Field<string, "record.increments">;
    readonly irsSubcategory: import("../fields.ts").Field<string | null, "record.irs_subcategory">;
    readonly lotNumber: import("../fields.ts").Field<number, "record.lot_number">;
    readonly name: import("../fields.ts").Field<string, "record.name">;
    readonly revenueStreamType: import("../fields.ts").Field<string, "record.revenue_stream_type">;
    readonly startPrice: import("../fields.ts").Field<number, "record.start_price">;
    readonly status: import("../fields.ts").Field<string, "record.status">;
    readonly taxRate: import("../fields.ts").Field<number | null, "record.tax_rate">;
    readonly termsDescription: import("../fields.ts").Field<string | null, "record.terms_description">;
    readonly updated: import("../fields.ts").Field<number, "record.updated">;
}> & {
    readonly table: "auction_item";
};
export declare const pledge: import("../record-type.ts").RecordType<"Pledge", {
    readonly amount: import("../fields.ts").Field<number | null, "record.amount">;
    readonly categories: import("../fields.ts").Field<string, "record.categories">;
    readonly created: import("../fields.ts").Field<number, "record.created">;
    readonly description: import("../fields.ts").Field<string | null, "record.description">;
    readonly eventId: import("../fields.ts").Field<string, "record.event_id">;
    readonly externalId: import("../fields.ts").Field<string | null, "record.external_id">;
    readonly id: import("../fields.ts").Field<string, "record.id">;
    readonly irsSubcategory: import("../fields.ts").Field<string | null, "record.irs_subcategory">;
    readonly name: import("../fields.ts").Field<string, "record.name">;
    readonly revenueStreamType: import("../fields.ts").Field<string, "record.revenue_stream_type">;
    readonly status: import("../fields.ts").Field<string, "record.status">;
    readonly termsDescription: import("../fields.ts").Field<string | null, "record.terms_description">;
    readonly updated: import("../fields.ts").Field<number, "record.updated">;
}> & {
    readonly table: "pledge";
};
export declare const raffle: import("../record-type.ts").RecordType<"Raffle", {
    readonly categories: import("../fields.ts").Field<string, "record.categories">;
    readonly created: import("../fields.ts").Field<number, "record.created">;
    readonly description: import("../fields.ts").Field<string | null, "record.description">;
    readonly draws: import("../fields.ts").Field<number | null, "record.draws">;
    readonly eventId: import("../fields.ts").Field<string, "record.event_id">;
    readonly externalId: import("../fields.ts").Field<string | null, "record.external_id">;
    readonly id: import("../fields.ts").Field<string, "record.id">;
    readonly irsSubcategory: import("../fields.ts").Field<string | null, "record.irs_subcategory">;
    readonly maxTickets: import("../fields.ts").Field<number | null, "record.max_tickets">;
    readonly name: import("../fields.ts").Field<string, "record.name">;
    readonly revenueStreamType: import("../fields.ts").Field<string, "record.revenue_stream_type">;
    readonly status: import("../fields.ts").Field<string, "record.status">;
    readonly termsDescription: import("../fields.ts").Field<string | null, "record.terms_description">;
    readonly ticketPrice: import("../fields.ts").Field<number, "record.ticket_price">;
    readonly updated: import("../fields.ts").Field<number, "record.updated">;
}> & {
    readonly table: "raffle";
};
export declare const gliRaffle: import("../record-type.ts").RecordType<"GliRaffle", {
    readonly categories: import("../fields.ts").Field<string, "record.categories">;
    readonly created: import("../fields.ts").Field<number, "record.created">;
    readonly description: import("../fields.ts").Field<string | null, "record.description">;
    readonly draws: import("../fields.ts").Field<number | null, "record.draws">;
    readonly eventId: import("../fields.ts").Field<string, "record.event_id">;
    readonly externalId: import("../fields.ts").Field<string | null, "record.external_id">;
    readonly id: import("../fields.ts").Field<string, "record.id">;
    readonly irsSubcategory: import("../fields.ts").Field<string | null, "record.irs_subcategory">;
    readonly licenceNumber: import("../fields.ts").Field<string, "record.licence_number">;
    readonly maxTickets: import("../fields.ts").Field<number | null, "record.max_tickets">;
    readonly name: import("../fields.ts").Field<string, "record.name">;
    readonly regulator: import("../fields.ts").Field<string, "record.regulator">;
    readonly revenueStreamType: import("../fields.ts").Field<string, "record.revenue_stream_type">;
    readonly status: import("../fields.ts").Field<string, "record.status">;
    readonly termsDescription: import("../fields.ts").Field<string | null, "record.terms_description">;
    readonly ticketPrice: import("../fields.ts").Field<number, "record.ticket_price">;
    readonly updated: import("../fields.ts").Field<number, "record.updated">;
}> & {
    readonly table: "gli_raffle";
};
export declare const ticket: import("../record-type.ts").RecordType<"Ticket", {
    readonly admits: import("../fields.ts").Field<number, "record.admits">;
    readonly capacity: import("../fields.ts").Field<number | null, "record.capacity">;
    readonly categories: import("../fields.ts").Field<string, "record.categories">;
    readonly created: import("../fields.ts").Field<number, "record.created">;
    readonly description: import("../fields.ts").Field<string | null, "record.description">;
    readonly eventId: import("../fields.ts").Field<string, "record.event_id">;
    readonly externalId: import("../fields.ts").Field<string | null, "record.external_id">;
    readonly id: import("../fields.ts").Field<string, "record.id">;
    readonly irsSubcategory: import("../fields.ts").Field<string | null, "record.irs_subcategory">;
    readonly name: import("../fields.ts").Field<string, "record.name">;
    readonly price: import("../fields.ts").Field<number, "record.price">;
    readonly revenueStreamType: import("../fields.ts").Field<string, "record.revenue_stream_type">;
    readonly status: import("../fields.ts").Field<string, "record.status">;
    readonly taxRate: import("../fields.ts").Field<number | null, "record.tax_rate">;
    readonly termsDescription: import("../fields.ts").Field<string | null, "record.terms_description">;
    readonly updated: import("../fields.ts").Field<number, "record.updated">;
}> & {
    readonly table: "ticket";
};
export declare const itemKinds: {
    readonly buyNows: import("../record-type.ts").RecordType<"BuyNowItem", {
        readonly categories: import("../fields.ts").Field<string, "record.categories">;
        readonly created: import("../fields.ts").Field<number, "record.created">;
        readonly description: import("../fields.ts").Field<string | null, "record.description">;
        readonly estimate: import("../fields.ts").Field<number | null, "record.estimate">;
        readonly eventId: import("../fields.ts").Field<string, "record.event_id">;
        readonly externalId: import("../fields.ts").Field<string | null, "record.external_id">;
        readonly id: import("../fields.ts").Field<string, "record.id">;
        readonly irsSubcategory: import("../fields.ts").Field<string | null, "record.irs_subcategory">;
        readonly name: import("../fields.ts").Field<string, "record.name">;
        readonly price: import("../fields.ts").Field<number, "record.price">;
        readonly quantity: import("../fields.ts").Field<number | null, "record.quantity">;
        readonly revenueStreamType: import("../fields.ts").Field<string, "record.revenue_stream_type">;
        readonly status: import("../fields.ts").Field<string, "record.status">;
        readonly taxRate: import("../fields.ts").Field<number | null, "record.tax_rate">;
        readonly termsDescription: import("../fields.ts").Field<string | null, "record.terms_description">;
        readonly updated: import("../fields.ts").Field<number, "record.updated">;
    }> & {
        readonly table: "buy_now_item";
    };
    readonly auctionItems: import("../record-type.ts").RecordType<"AuctionItem", {
        readonly categories: import("../fields.ts").Field<string, "record.categories">;
        readonly closes: import("../fields.ts").Field<number | null, "record.closes">;
        readonly created: import("../fields.ts").Field<number, "record.created">;
        readonly description: import("../fields.ts").Field<string | null, "record.description">;
        readonly estimate: import("../fields.ts").Field<number | null, "record.estimate">;
        readonly eventId: import("../fields.ts").Field<string, "record.event_id">;
        readonly externalId: import("../fields.ts").Field<string | null, "record.external_id">;
        readonly id: import("../fields.ts").Field<string, "record.id">;
        readonly increments: import("../fields.ts").Field<string, "record.increments">;
        readonly irsSubcategory: import("../fields.ts").Field<string | null, "record.irs_subcategory">;
        readonly lotNumber: import("../fields.ts").Field<number, "record.lot_number">;
        readonly name: import("../fields.ts").Field<string, "record.name">;
        readonly revenueStreamType: import("../fields.ts").Field<string, "record.revenue_stream_type">;
        readonly startPrice: import("../fields.ts").Field<number, "record.start_price">;
        readonly status: import("../fields.ts").Field<string, "record.status">;
        readonly taxRate: import("../fields.ts").Field<number | null, "record.tax_rate">;
        readonly termsDescription: import("../fields.ts").Field<string | null, "record.terms_description">;
        readonly updated: import("../fields.ts").Field<number, "record.updated">;
    }> & {
        readonly table: "auction_item";
    };
    readonly pledges: import("../record-type.ts").RecordType<"Pledge", {
        readonly amount: import("../fields.ts").Field<number | null, "record.amount">;
        readonly categories: import("../fields.ts").Field<string, "record.categories">;
        readonly created: import("../fields.ts").Field<number, "record.created">;
        readonly description: import("../fields.ts").Field<string | null, "record.description">;
        readonly eventId: import("../fields.ts").Field<string, "record.event_id">;
        readonly externalId: import("../fields.ts").Field<string | null, "record.external_id">;
        readonly id: import("../fields.ts").Field<string, "record.id">;
        readonly irsSubcategory: import("../fields.ts").Field<string | null, "record.irs_subcategory">;
        readonly name: import("../fields.ts").Field<string, "record.name">;
        readonly revenueStreamType: import("../fields.ts").Field<string, "record.revenue_stream_type">;
        readonly status: import("../fields.ts").Field<string, "record.status">;
        readonly termsDescription: import("../fields.ts").Field<string | null, "record.terms_description">;
        readonly updated: import("../fields.ts").Field<number, "record.updated">;
    }> & {
        readonly table: "pledge";
    };
    readonly prizeDraws: import("../record-type.ts").RecordType<"Raffle", {
        readonly categories: import("../fields.ts").Field<string, "record.categories">;
        readonly created: import("../fields.ts").Field<number, "record.created">;
        readonly description: import("../fields.ts").Field<string | null, "record.description">;
        readonly draws: import("../fields.ts").Field<number | null, "record.draws">;
        readonly eventId: import("../fields.ts").Field<string, "record.event_id">;
        readonly externalId: import("../fields.ts").Field<string | null, "record.external_id">;
        readonly id: import("../fields.ts").Field<string, "record.id">;
        readonly irsSubcategory: import("../fields.ts").Field<string | null, "record.irs_subcategory">;
        readonly maxTickets: import("../fields.ts").Field<number | null, "record.max_tickets">;
        readonly name: import("../fields.ts").Field<string, "record.name">;
        readonly revenueStreamType: import("../fields.ts").Field<string, "record.revenue_stream_type">;
        readonly status: import("../fields.ts").Field<string, "record.status">;
        readonly termsDescription: import("../fields.ts").Field<string | null, "record.terms_description">;
        readonly ticketPrice: import("../fields.ts").Field<number, "record.ticket_price">;
        readonly updated: import("../fields.ts").Field<number, "record.updated">;
    }> & {
        readonly table: "raffle";
    };
    readonly gliRaffles: import("../record-type.ts").RecordType<"GliRaffle", {
        readonly categories: import("../fields.ts").Field<string, "record.categories">;
        readonly created: import("../fields.ts").Field<number, "record.created">;
        readonly description: import("../fields.ts").Field<string | null, "record.description">;
        readonly draws: import("../fields.ts").Field<number | null, "record.draws">;
        readonly eventId: import("../fields.ts").Field<string, "record.event_id">;
        readonly externalId: import("../fields.ts").Field<string | null, "record.external_id">;
        readonly id: import("../fields.ts").Field<string, "record.id">;
        readonly irsSubcategory: import("../fields.ts").Field<string | null, "record.irs_subcategory">;
        readonly licenceNumber: import("../fields.ts").Field<string, "record.licence_number">;
        readonly maxTickets: import("../fields.ts").Field<number | null, "record.max_tickets">;
        readonly name: import("../fields.ts").Field<string, "record.name">;
        readonly regulator: import("../fields.ts").Field<string, "record.regulator">;
        readonly revenueStreamType: import("../fields.ts").Field<string, "record.revenue_stream_type">;
        readonly status: import("../fields.ts").Field<string, "record.status">;
        readonly termsDescription: import("../fields.ts").Field<string | null, "record.terms_description">;
        readonly ticketPrice: import("../fields.ts").Field<number, "record.ticket_price">;
        readonly updated: import("../fields.ts").Field<number, "record.updated">;
    }> & {
        readonly table: "gli_raffle";
    };
    readonly tickets: import("../record-type.ts").RecordType<"Ticket", {
        readonly admits: import("../fields.ts").Field<number, "record.admits">;
        readonly capacity: import("../fields.ts").Field<number | null, "record.capacity">;
        readonly categories: import("../fields.ts").Field<string, "record.categories">;
        readonly created: import("../fields.ts").Field<number, "record.created">;
        readonly description: import("../fields.ts").Field<string | null, "record.description">;
        readonly eventId: import("../fields.ts").Field<string, "record.event_id">;
        readonly externalId: import("../fields.ts").Field<string | null, "record.external_id">;
        readonly id: import("../fields.ts").Field<string, "record.id">;
        readonly irsSubcategory: import("../fields.ts").Field<string | null, "record.irs_subcategory">;
        readonly name: import("../fields.ts").Field<string, "record.name">;
        readonly price: import("../fields.ts").Field<number, "record.price">;
        readonly revenueStreamType: import("../fields.ts").Field<string, "record.revenue_stream_type">;
        readonly status: import("../fields.ts").Field<string, "record.status">;
        readonly taxRate: import("../fields.ts").Field<number | null, "record.tax_rate">;
        readonly termsDescription: import("../fields.ts").Field<string | null, "record.terms_description">;
        readonly updated: import("../fields.ts").Field<number, "record.updated">;
    }> & {
        readonly table: "ticket";
    };
};
export type ItemCategory = keyof typeof itemKinds;
export declare const itemCategories: readonly ItemCategory[];
export type ItemsProjection = {
    readonly [C in ItemCategory]: Projection<(typeof itemKinds)[C]["name"]>;
};
export declare const wholeItems: ItemsProjection;
