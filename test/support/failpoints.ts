// Failpoints: the moments between every two steps of sending, receiving and delivering, where a step meets the store or the
// network. The product has the two seams (`ReplacedParts`) and does not know the failpoints.
import type { ArrivalGuard, Network, NetworkSession } from '../../src/network/network.ts'
import type { Store } from '../../src/store/store.ts'

export const FAILPOINTS = {
  'accept.before': 'a send is checked, nothing is written',
  'accept.after': 'it is on disk, its caller has no answer',
  'claim.after': 'its lane is locked, no worker has started',
  'look_up.after': 'the network has resolved the number',
  'typing.after': 'the recipient has seen typing',
  'prepare.after': 'the payload is built, and not saved',
  'payload.after': 'the payload is saved, nothing is encrypted',
  'keys.before': 'a message is encrypted or decrypted, its keys are not on disk',
  'keys.after': 'the keys are on disk, the frame that relies on them is not sent',
  'send.before': 'nothing of the message is sent to the network',
  'send.after': 'the network has the message, the outcome is not saved',
  'settle.after': 'the outcome is saved, the worker does not know',
  'received.before': 'a message is decrypted and understood, nothing of it is on disk',
  'received.after': 'keys and message are on disk, the network has no receipt',
  'interpret.after': 'an arrival is understood, but is not a message on disk yet',
  'report.before': 'an arrival is understood, nothing of it is written',
  'report.after': 'it is a message on disk, its reporter does not know',
  'receipt.before': 'a receipt is understood, nothing of it is written',
  'receipt.after': 'it is on disk, the network has no acknowledgement',
  'transaction.after': 'a change is on disk, the code that made it does not know',
} as const
export const POINTS = Object.keys(FAILPOINTS) as (keyof typeof FAILPOINTS)[]

/** Those of webhooks, which only a gateway with a receiver comes to. */
const WEBHOOK_FAILPOINTS = {
  'deliveries.after': 'deliveries are claimed, nothing is posted',
  'post.after': 'the receiver has answered, the attempt is not saved',
  'posted.after': 'the outcome is saved, the worker does not know',
} as const
export const WEBHOOK_POINTS = Object.keys(WEBHOOK_FAILPOINTS) as (keyof typeof WEBHOOK_FAILPOINTS)[]
export type Failpoint = keyof typeof FAILPOINTS | keyof typeof WEBHOOK_FAILPOINTS

export type Failing = 'throw' | 'hang' | 'kill'

/** The message of the test to the server's process, and its reply. */
export interface ArmOrder {
  arm: Failpoint
  how: Failing
}
export interface FiredReport {
  fired: Failpoint
}

/** Passed at each moment; fails once when that moment is armed. */
type Pass = (point: Failpoint) => Promise<void>

export function createFailpoints(report: (fired: FiredReport) => void): {
  arm(order: ArmOrder): void
  pass: Pass
} {
  let armed: ArmOrder | undefined
  return {
    arm: (order) => void (armed = order),
    async pass(point) {
      if (armed?.arm !== point) return
      const { how } = armed
      armed = undefined
      if (how === 'kill') process.kill(process.pid, 'SIGKILL')
      report({ fired: point })
      if (how === 'throw') throw new Error(`failpoint ${point}`)
      await new Promise(() => undefined)
    },
  }
}

/** The moments around a step of the store; null: nothing is lost or repeated there that another moment does not cover. */
interface Moments {
  before: Failpoint | null
  after: Failpoint | null
  /** The step had something to do. Absent: it always has. */
  isStep?: (result: unknown) => boolean
}

/** Members of the store that change nothing by themselves. `appendEvents` is part of a transaction. */
type OtherMembers =
  | 'engine'
  | 'db'
  | 'search'
  | 'messageSearch'
  | 'openLeases'
  | 'appendEvents'
  | 'onEvents'
  | 'offerClaim'
  | 'check'
  | 'close'
type StoreStep = Exclude<keyof Store, OtherMembers>

const hasClaimed = (claimed: unknown): boolean => (claimed as unknown[]).length > 0

/** A new operation of the store does not compile until it has its moments here. */
const STORE_MOMENTS: Readonly<Record<StoreStep, Moments>> = {
  acceptSend: { before: 'accept.before', after: 'accept.after' },
  claimSends: { before: null, after: 'claim.after', isStep: hasClaimed },
  // Only the end of a lock changes. A lock that is not renewed is one that expires, which the conformance suite covers.
  renewClaim: { before: null, after: null },
  savePayload: { before: null, after: 'payload.after' },
  settleSend: { before: null, after: 'settle.after' },
  claimDeliveries: { before: null, after: 'deliveries.after', isStep: hasClaimed },
  settleDelivery: { before: 'post.after', after: 'posted.after' },
  saveSession: { before: 'keys.before', after: 'keys.after' },
  saveReceived: { before: 'received.before', after: 'received.after' },
  recordReports: { before: 'report.before', after: 'report.after' },
  recordProgress: { before: 'receipt.before', after: 'receipt.after' },
  instanceTransaction: { before: null, after: 'transaction.after' },
  transaction: { before: null, after: 'transaction.after' },
}

type AnyStep = (...inputs: never[]) => Promise<unknown>

export const failingStore =
  (pass: Pass) =>
  (store: Store): Store => {
    const failing = (name: StoreStep, { before, after, isStep = () => true }: Moments): AnyStep => {
      const step: AnyStep = store[name]
      return async (...inputs) => {
        if (before) await pass(before)
        const result = await step(...inputs)
        if (after && isStep(result)) await pass(after)
        return result
      }
    }
    const steps = Object.entries(STORE_MOMENTS).map(([name, moments]) => [
      name,
      failing(name as StoreStep, moments),
    ])
    return {
      ...store,
      ...(Object.fromEntries(steps) as Pick<Store, StoreStep>),
      ...(store.offerClaim && { offerClaim: failingOffers(store.offerClaim, pass) }),
    }
  }

/** A claim that rides along with a commit has the same moment as one in a transaction of its own. */
const failingOffers =
  (offerClaim: NonNullable<Store['offerClaim']>, pass: Pass): typeof offerClaim =>
  (name, offer) =>
    offerClaim(name, {
      ...offer,
      take(claimed, request) {
        const point = STORE_MOMENTS[name].after
        if (point === null || !hasClaimed(claimed)) offer.take(claimed, request)
        else
          void pass(point).then(
            () => offer.take(claimed, request),
            () => offer.failed?.(),
          )
      },
    })

export const failingNetwork =
  (pass: Pass) =>
  (network: Network): Network => ({
    ...network,
    connect: async (options) => failingSession(await network.connect(options), pass),
  })

const failingSession = (session: NetworkSession, pass: Pass): NetworkSession => ({
  ...session,
  async lookUp(numbers) {
    const found = await session.lookUp(numbers)
    await pass('look_up.after')
    return found
  },
  async showTyping(chat, what) {
    await session.showTyping(chat, what)
    if (what === 'nothing') await pass('typing.after')
  },
  async prepare(chat, content, sources) {
    const payload = await session.prepare(chat, content, sources)
    await pass('prepare.after')
    return payload
  },
  async send(message) {
    await pass('send.before')
    const result = await session.send(message)
    await pass('send.after')
    return result
  },
  async interpret(payload) {
    const interpretation = await session.interpret(payload)
    await pass('interpret.after')
    return interpretation
  },
  async interpretNow(payload) {
    const interpretation = await session.interpretNow(payload)
    await pass('interpret.after')
    return interpretation
  },
})

/** Where a message stops the event loop for ever, as a fault in the code that handles it would. */
export type BlockedStep = 'decrypt' | 'interpret'

/** The message with this id never lets the step return, in every process. */
export const blockingNetwork =
  (messageId: string, step: BlockedStep) =>
  (network: Network): Network => ({
    ...network,
    async connect(options) {
      const { guard } = options
      if (step === 'decrypt' && guard)
        return network.connect({ ...options, guard: { ...guard, run: blockingRun(guard.run, messageId) } })
      const session = await network.connect(options)
      return {
        ...session,
        async interpret(payload) {
          if (Buffer.from(payload).includes(messageId)) blockForEver()
          return session.interpret(payload)
        },
        async interpretNow(payload) {
          if (Buffer.from(payload).includes(messageId)) blockForEver()
          return session.interpretNow(payload)
        },
      }
    },
  })

const blockingRun =
  (run: ArrivalGuard['run'], messageId: string): ArrivalGuard['run'] =>
  (names, work) =>
    run(names, async () => {
      if (names.some((name) => name.includes(messageId))) blockForEver()
      return work()
    })

/** Asleep: the event loop stands still as in an endless loop, and the machine does not work for it. */
function blockForEver(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}
