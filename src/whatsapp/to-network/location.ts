// A location to the network.
import type { ContentOf } from '../../network/message.ts'
import { type NetworkMessage, networkMessage, type SendFacts } from './network-message.ts'

export function locationToNetwork(content: ContentOf<'location'>, facts: SendFacts): NetworkMessage {
  const locationMessage = {
    degreesLatitude: content.latitude,
    degreesLongitude: content.longitude,
    ...(content.name !== undefined && { name: content.name }),
    ...(content.address !== undefined && { address: content.address }),
  }
  return networkMessage({ locationMessage }, facts)
}
