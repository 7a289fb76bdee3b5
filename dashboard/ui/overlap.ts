/** The hours of a field. An empty field must not become 0, which would end the old key immediately: the API refuses NaN. */
export const hoursIn = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text))
