/**
 * Seconds that a client may take to walk through a list. A cursor is valid, and a deleted record keeps its position for
 * clients that count by offset, for this time.
 */
export const walkLifetime = 24 * 60 * 60
