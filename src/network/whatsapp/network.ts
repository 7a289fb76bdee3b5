// The WhatsApp network through the unmodified library. The sandbox differs from the real network only in its settings.
import { WA_CERT_DETAILS } from 'baileys'
import type { Network } from '../network.ts'
import { connectSession } from './session.ts'
import type { WhatsAppSettings } from './settings.ts'

export function createWhatsAppNetwork(settings: WhatsAppSettings): Network {
  if (settings.rootPublicKey) WA_CERT_DETAILS.PUBLIC_KEY = Buffer.from(settings.rootPublicKey)
  return {
    connect: (options) => connectSession(settings, options),
  }
}
