// Converts between times inside the gateway (integer milliseconds) and in the API (ISO 8601).

export const iso = (ms: number): string => new Date(ms).toISOString()
export const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms))
export const fromIso = (text: string): number => Date.parse(text)
export const fromIsoOrNull = (text: string | null): number | null => (text === null ? null : fromIso(text))
