// The login code as the dialect shows it: as text, and as an image in a data URL.

/** A data URL of a PNG. */
export const qrAsUrl = async (
  { drawQr }: { drawQr(code: string): Promise<Uint8Array> },
  code: string,
): Promise<string> => `data:image/png;base64,${Buffer.from(await drawQr(code)).toString('base64')}`
