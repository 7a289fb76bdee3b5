// Keeps an `error` event from ending the process. Node throws the error of an emitter that has no listener.
import type { EventEmitter } from 'node:events'

/**
 * For an emitter that fails without a reader, such as a socket between two owners. A later reader of a stream still gets the error: the
 * stream stores it.
 */
export const ignoreErrors = <E extends EventEmitter>(emitter: E): E => emitter.on('error', () => undefined)
