// The last hundred typing notifications that a phone received.
import { isGroupJid } from '../model/address.ts'
import { createNotifier, type Notifier } from '../model/notifier.ts'
import { accountByJid, type World } from '../model/world.ts'
import { children, type Stanza } from '../wire/stanza.ts'

interface TypingSign {
  seq: number
  chat: string
  from: string
  state: 'typing' | 'recording' | 'paused'
  timestamp: number
}

export interface TypingLog {
  readonly notifier: Notifier
  /** Undefined when the stanza is not a typing notification. */
  add(node: Stanza): TypingSign | undefined
  after(seq: number): TypingSign[]
}

const KEPT = 100

export function createTypingLog(world: World): TypingLog {
  let signs: TypingSign[] = []
  let seq = 0
  const notifier = createNotifier()
  return {
    notifier,
    add(node) {
      const { from = '', participant } = node.attrs
      const person = accountByJid(world, participant ?? from)
      const [state] = children(node)
      if (node.tag !== 'chatstate' || !person || !state) return undefined
      seq += 1
      const chat = isGroupJid(from) ? from : person.number
      const sign: TypingSign = {
        seq,
        chat,
        from: person.number,
        state: stateOf(state),
        timestamp: Date.now(),
      }
      signs = [...signs.slice(1 - KEPT), sign]
      notifier.notify()
      return sign
    },
    after: (last) => signs.filter((sign) => sign.seq > last),
  }
}

function stateOf(state: Stanza): TypingSign['state'] {
  if (state.tag !== 'composing') return 'paused'
  return state.attrs['media'] === 'audio' ? 'recording' : 'typing'
}
