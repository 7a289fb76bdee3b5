// Limits how far the heap may grow before V8 runs a full garbage collection.
import { setFlagsFromString } from 'node:v8'

/** In percent of the heap size after the last full collection. */
const GROWTH_PERCENT = 100

/**
 * On a machine with much memory, V8 lets the old generation grow to four times the memory in use before it collects it, and
 * seldom returns pages afterwards: 80 MB in use become 600 MB of the machine's memory within minutes of light use. Twice is
 * enough; the more frequent collections cost one or two percent of the processor (decision 0084). V8 reads the setting at the
 * end of each collection, so it can be set in a running process.
 */
export const limitHeapGrowth = (): void => setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`)
