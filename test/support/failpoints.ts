// Failpoints: the moments between every two steps of sending, receiving and delivering, where a step meets the store or the
// network. The product has the two seams (`AppParts`) and does not know the failpoints.
import type { Network, NetworkSession } from '../../src/network/network.ts'
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
  'interpret.after': 'an arrival is on disk and understood, but no message yet',
  'record.after': 'an arrival or a receipt is recorded, its reporter does not know',
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

export const failingStore =
  (pass: Pass) =>
  (store: Store): Store => ({
    ...store,
    async acceptSend(send) {
      await pass('accept.before')
      const outcome = await store.acceptSend(send)
      await pass('accept.after')
      return outcome
    },
    async claimSends(request) {
      const claimed = await store.claimSends(request)
      if (claimed.length > 0) await pass('claim.after')
      return claimed
    },
    async savePayload(payload) {
      await store.savePayload(payload)
      await pass('payload.after')
      return null
    },
    async settleSend(request) {
      const settled = await store.settleSend(request)
      await pass('settle.after')
      return settled
    },
    async claimDeliveries(request) {
      const claimed = await store.claimDeliveries(request)
      if (claimed.length > 0) await pass('deliveries.after')
      return claimed
    },
    async settleDelivery(settlement) {
      await pass('post.after')
      const settled = await store.settleDelivery(settlement)
      await pass('posted.after')
      return settled
    },
    async saveSession(write) {
      await pass('keys.before')
      const saved = await store.saveSession(write)
      await pass('keys.after')
      return saved
    },
    async instanceTransaction(instanceId, work) {
      const result = await store.instanceTransaction(instanceId, work)
      await pass('record.after')
      return result
    },
    async transaction(work) {
      const result = await store.transaction(work)
      await pass('record.after')
      return result
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
})
