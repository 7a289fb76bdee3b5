// Limits of quick replies, without schemas, so that the dashboard can use them.
export const MAX_QUICK_REPLIES = 200
export const MAX_QUICK_REPLY_LENGTH = 4096
export const SHORTCUT = /^[\p{L}\p{N}_-]{1,32}$/u
