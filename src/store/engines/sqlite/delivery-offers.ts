// Claims of deliveries that ride along: the commit that causes deliveries, or that releases their lane, also claims them for a worker
// that can start them at once. That saves the worker a transaction of its own, and the thread a wake.
import type { ClaimedDeliveries, DeliveryOffer } from '../../operations/deliveries/types.ts'
import type { OperationCall } from '../../operations/hot-operations.ts'

export interface DeliveryOffers {
  add(offer: DeliveryOffer): () => void
  /** The claim that joins these calls; undefined: none. */
  joining(calls: readonly OperationCall[]): JoiningClaim | undefined
}

interface JoiningClaim {
  call: OperationCall<'claimDeliveries'>
  take(claimed: ClaimedDeliveries[]): void
}

export function createDeliveryOffers(): DeliveryOffers {
  let offered: DeliveryOffer | undefined
  return {
    add(offer) {
      offered = offer
      return () => {
        if (offered === offer) offered = undefined
      }
    },
    joining(calls) {
      const offer = offered
      if (!offer || !calls.some(makesDue)) return undefined
      const request = offer.wants()
      if (!request) return undefined
      return {
        call: { name: 'claimDeliveries', input: request },
        take: (claimed) => offer.take(claimed, request),
      }
    },
  }
}

/** Operations that append events, and the one that releases lanes. */
const MAKES_DUE: ReadonlySet<string> = new Set<OperationCall['name']>([
  'acceptSend',
  'claimSends',
  'settleSend',
  'recordProgress',
  'recordReports',
  'saveReceived',
  'settleDelivery',
])

const makesDue = ({ name, input }: OperationCall): boolean =>
  MAKES_DUE.has(name) && (name !== 'settleDelivery' || input.release)
