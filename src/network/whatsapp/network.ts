// The WhatsApp network through the unmodified library. The sandbox differs from the real network only in its settings.
import { WA_CERT_DETAILS } from 'baileys'
import { createKeyedMutex } from '../../async/keyed-mutex.ts'
import type { Network } from '../network.ts'
import { silenceLibsignal } from './quiet-libsignal.ts'
import { connectSession } from './session.ts'
import type { WhatsAppSettings } from './settings.ts'

export function createWhatsAppNetwork(settings: WhatsAppSettings): Network {
  silenceLibsignal()
  if (settings.rootPublicKey) WA_CERT_DETAILS.PUBLIC_KEY = Buffer.from(settings.rootPublicKey)
  /**
   * One step at a time with each Signal address, across all sessions of the process. libsignal has one queue per address for the
   * whole process, and runs every job in it in the async context of the first caller. The library finds its key transaction by
   * that context. Without the mutex, when two sessions write to the same person, the keys of the second session would be written
   * outside its transaction or inside the other one: too early, too late or never. With it, libsignal's queue is always empty.
   */
  const addressMutex = createKeyedMutex<string>()
  return {
    connect: (options) => connectSession(settings, options, addressMutex),
  }
}
