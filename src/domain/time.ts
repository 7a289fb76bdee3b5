// Times are integer milliseconds inside and ISO 8601 outside; the change happens here.

export const iso = (ms: number): string => new Date(ms).toISOString()
export const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms))
export const fromIso = (text: string): number => Date.parse(text)
export const fromIsoOrNull = (text: string | null): number | null => (text === null ? null : fromIso(text))
