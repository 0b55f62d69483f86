/**
 * Seconds that a client may take to walk through a list: so long a cursor can be used, and so long a deleted
 * record keeps its position for clients that count by offset.
 */
export const walkLifetime = 24 * 60 * 60
