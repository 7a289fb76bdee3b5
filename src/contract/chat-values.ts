/** `mutedUntil` of a chat that is muted without an end. */
export const MUTED_FOR_EVER = '9999-12-31T00:00:00.000Z'
