// Creates a phone: device 0 of an account, and a real Signal endpoint.
import { decodeBinaryNode } from 'baileys'
import { createSerialQueue } from '../../src/kernel/async/serial-queue.ts'
import { createNotifier } from '../model/notifier.ts'
import type { Account } from '../model/world.ts'
import type { SandboxState } from '../network/sandbox-state.ts'
import { readQueue } from '../store/queue.ts'
import { shareName } from './app-state.ts'
import { pushHistory } from './history-push.ts'
import type { Phone } from './phone.ts'
import { createPresence } from './phone-presence.ts'
import { receiveStanza } from './receive.ts'
import { createSignal } from './signal.ts'
import { createTypingLog } from './typing-log.ts'

export function createPhone(state: SandboxState, account: Account): Phone {
  const signal = createSignal(state.database, account)
  /** The queue entries in progress, so that reading the queue again does not process them twice. */
  const inProgress = new Set<number>()
  const turns = createSerialQueue()
  let stopped = false

  const phone: Phone = {
    account,
    signal,
    notifier: createNotifier(),
    typing: createTypingLog(state.world),
    presence: createPresence(state, account),
    runExclusive: (work) =>
      turns.run(async () => {
        signal.keys.discard()
        try {
          return await work()
        } finally {
          signal.keys.discard()
        }
      }),
    receive({ seq, node }) {
      if (stopped || state.faults.offline.has(account.number) || inProgress.has(seq)) return
      inProgress.add(seq)
      void phone
        .runExclusive(() => receiveStanza(state, phone, seq, node))
        .catch((error: unknown) =>
          state.log.error('phone could not process a stanza', {
            number: account.number,
            error: String(error),
          }),
        )
        .finally(() => inProgress.delete(seq))
    },
    notifyChanged(chat) {
      phone.notifier.notify()
      state.changes.record({ about: 'messages', number: account.number, chat }, [account.owner])
    },
    receiveTransient(node) {
      const sign = phone.typing.add(node)
      if (!sign) return
      const { seq: _seq, timestamp: _timestamp, ...typing } = sign
      state.changes.record({ about: 'typing', number: account.number, ...typing }, [account.owner])
    },
    receiveQueued() {
      for (const { seq, stanza } of readQueue(state.database, account.number, 0))
        void decodeBinaryNode(Buffer.from(stanza)).then((node) => phone.receive({ seq, node }))
    },
    async stop() {
      stopped = true
      await turns.drained()
    },
    takeBundle: () => signal.takeBundle(),
    async pushHistory(device) {
      await phone.runExclusive(() => pushHistory(state, phone, device))
      await shareName(state, phone)
    },
  }
  return phone
}
