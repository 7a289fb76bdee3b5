// The answer of a receiver as text that is safe to store and show: its content is not trusted.

const SHOWN_BYTES = 4096
/** Control characters except line breaks and tabs, and characters that change the text direction. */
// oxlint-disable-next-line no-control-regex -- matching control characters is the purpose
const UNSAFE = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g

/** The first 4 KiB. A character that is cut off at the end is dropped; bytes that are not text become `�`. */
export function answerText(body: Uint8Array): string {
  const cut = body.byteLength > SHOWN_BYTES
  const text = new TextDecoder().decode(body.subarray(0, SHOWN_BYTES), { stream: cut })
  return text.replaceAll(UNSAFE, '\ufffd')
}
