/** What a phone saw of others typing: the last hundred signs, for tests to look at. */
import { isGroupJid } from '../address.ts'
import { children, type Stanza } from '../stanza.ts'
import { accountByJid, type World } from '../world.ts'
import { createWatch, type Watch } from './watch.ts'

type TypingSign = {
  seq: number
  chat: string
  from: string
  state: 'typing' | 'recording' | 'paused'
  timestamp: number
}

export type TypingLog = {
  readonly watch: Watch
  /** Undefined where the stanza is no such sign. */
  add(node: Stanza): TypingSign | undefined
  after(seq: number): TypingSign[]
}

const KEPT = 100

export function createTypingLog(world: World): TypingLog {
  let signs: TypingSign[] = []
  let seq = 0
  const watch = createWatch()
  return {
    watch,
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
      watch.ring()
      return sign
    },
    after: (last) => signs.filter((sign) => sign.seq > last),
  }
}

function stateOf(state: Stanza): TypingSign['state'] {
  if (state.tag !== 'composing') return 'paused'
  return state.attrs['media'] === 'audio' ? 'recording' : 'typing'
}
