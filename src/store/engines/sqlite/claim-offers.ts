// Claims that ride along: the commit that makes sends or deliveries due also claims them for a worker that can start them at once. That
// saves the worker a transaction of its own, and the thread a wake.
import type { ClaimName, ClaimOffer } from '../../operations/claim-offer.ts'
import type { OperationCall, OperationName, OperationOutput } from '../../operations/hot-operations.ts'

export interface ClaimOffers {
  add<K extends ClaimName>(name: K, offer: ClaimOffer<K>): () => void
  /** The claims that join these calls. */
  joining(calls: readonly OperationCall[]): JoiningClaim[]
  /** These calls are committed, with these claims: workers hear of what is due and was not claimed. */
  committed(calls: readonly OperationCall[], joined: readonly JoiningClaim[]): void
}

export interface JoiningClaim {
  call: OperationCall<ClaimName>
  take(claimed: OperationOutput<OperationName> | undefined): void
  failed(): void
}

type MakesDue = (call: OperationCall) => boolean

/** Operations that make sends due, and those that append events or release lanes of deliveries. In the order of the claims. */
const MAKES_DUE: Readonly<Record<ClaimName, MakesDue>> = {
  claimSends: ({ name, input }) => name === 'acceptSend' || (name === 'settleSend' && input.release),
  claimDeliveries: ({ name, input }) => CAUSES.has(name) || (name === 'settleDelivery' && input.release),
}
const CLAIMS = Object.keys(MAKES_DUE) as ClaimName[]

const CAUSES: ReadonlySet<string> = new Set<OperationCall['name']>([
  'acceptSend',
  'claimSends',
  'settleSend',
  'recordProgress',
  'recordReports',
  'saveReceived',
])

export function createClaimOffers(): ClaimOffers {
  const offered = new Map<ClaimName, ClaimOffer<ClaimName>>()
  /** Claims of which these calls make some possible, and which are not among them. */
  const possible = (calls: readonly OperationCall[]): ClaimName[] =>
    CLAIMS.filter((claim) => calls.some(MAKES_DUE[claim]) && !calls.some(({ name }) => name === claim))

  function join(name: ClaimName): JoiningClaim | undefined {
    const offer = offered.get(name)
    const request = offer?.wants()
    if (!offer || !request) return undefined
    return {
      call: { name, input: request } as OperationCall<ClaimName>,
      take: (claimed) => offer.take(claimed as OperationOutput<ClaimName>, request),
      failed: () => offer.failed?.(),
    }
  }
  return {
    add(name, offer) {
      const added = offer as ClaimOffer<ClaimName>
      offered.set(name, added)
      return () => {
        if (offered.get(name) === added) offered.delete(name)
      }
    },
    joining: (calls) => possible(calls).flatMap((name) => join(name) ?? []),
    committed(calls, joined) {
      for (const claim of possible(calls))
        if (!joined.some(({ call }) => call.name === claim)) offered.get(claim)?.missed?.()
    },
  }
}
