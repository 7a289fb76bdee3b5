// The WhatsApp network through the unmodified library. The sandbox differs from the real network only in its settings.
import type { Network } from '../network/network.ts'
import { withRootKey } from './library/root-key.ts'
import { connectSession } from './session.ts'
import type { WhatsAppSettings } from './settings.ts'

export function createWhatsAppNetwork(settings: WhatsAppSettings): Network {
  const { rootPublicKey } = settings
  return {
    connect: (options) =>
      rootPublicKey
        ? withRootKey(rootPublicKey, () => connectSession(settings, options))
        : connectSession(settings, options),
  }
}
