// What a receiver answered, as text that can be stored and shown: a stranger wrote it.

const SHOWN_BYTES = 4096
/** Control characters but for line breaks and tabs, and those that turn the direction of the text around them. */
// oxlint-disable-next-line no-control-regex -- matching control characters is the purpose
const UNSAFE = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g

/** The first 4 KiB; a character that was cut at the end is left out, what is no text is shown as `�`. */
export function answerText(body: Uint8Array): string {
  const cut = body.byteLength > SHOWN_BYTES
  const text = new TextDecoder().decode(body.subarray(0, SHOWN_BYTES), { stream: cut })
  return text.replaceAll(UNSAFE, '\ufffd')
}
