// The header `traceparent` of W3C Trace Context.

export interface SpanContext {
  traceId: string
  spanId: string
}

const FORM = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/
const ZEROS = /^0+$/

/** Undefined: absent or not valid. A later version may append fields; version 00 has exactly four. */
export function parseTraceparent(header: string | undefined): SpanContext | undefined {
  const [, version, traceId = '', spanId = '', more] = FORM.exec(header ?? '') ?? []
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined
  return ZEROS.test(traceId) || ZEROS.test(spanId) ? undefined : { traceId, spanId }
}

/** Every span is recorded, so the flag `sampled` is set. */
export const formatTraceparent = ({ traceId, spanId }: SpanContext): string => `00-${traceId}-${spanId}-01`
