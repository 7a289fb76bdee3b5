// Random conversations in which sides crash before they have stored a step, messages are delivered late, twice or never, and
// sessions are begun anew. Nothing that is delivered may be unreadable.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createSide, type Sealed, type Side } from './sides.ts'

type Action =
  | { kind: 'send'; by: 0 | 1; isLost: boolean }
  | { kind: 'deliver'; to: 0 | 1; index: number; isCrash: boolean }
  | { kind: 'begin'; by: 0 | 1 }

const side = fc.constantFrom(0 as const, 1 as const)
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('send' as const), by: side, isLost: fc.boolean() }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('deliver' as const),
      to: side,
      index: fc.nat(5),
      isCrash: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('begin' as const), by: side }) },
)

interface Letter {
  text: string
  sealed: Sealed
  /** How many later letters were delivered before it. */
  overtakenBy: number
}

/** A session keeps the keys of five chains. Each letter that overtakes may begin a new one. */
const MAX_OVERTAKEN = 4

/** The letter at this place, unless another must not wait longer. */
function choose(inbox: Letter[], index: number): Letter | undefined {
  const chosen = inbox.find(({ overtakenBy }) => overtakenBy >= MAX_OVERTAKEN) ?? inbox[index]
  if (chosen) for (const earlier of inbox.slice(0, inbox.indexOf(chosen))) earlier.overtakenBy += 1
  return chosen
}

async function run(actions: Action[]): Promise<void> {
  const sides: [Side, Side] = [createSide('own', 'b'), createSide('own', 'a')]
  const inboxes: [Letter[], Letter[]] = [[], []]
  await sides[0].begin(sides[1].publish())
  await sides[1].begin(sides[0].publish())
  let sent = 0
  const steps = {
    async send({ by, isLost }: Extract<Action, { kind: 'send' }>) {
      const text = `message ${++sent}`
      const sealed = await sides[by].encrypt(text)
      // The step is stored, but the process was killed before the frame left.
      if (!isLost) inboxes[by === 0 ? 1 : 0].push({ text, sealed, overtakenBy: 0 })
    },
    async deliver({ to, index, isCrash }: Extract<Action, { kind: 'deliver' }>) {
      const letter = choose(inboxes[to], index)
      if (!letter) return
      const before = sides[to].save()
      assert.equal(await sides[to].decrypt(letter.sealed), letter.text)
      // Killed before the step was stored: the network delivers the message again.
      if (isCrash) return sides[to].restore(before)
      inboxes[to].splice(inboxes[to].indexOf(letter), 1)
      await assert.rejects(sides[to].decrypt(letter.sealed), 'a message decrypts once')
    },
    async begin({ by }: Extract<Action, { kind: 'begin' }>) {
      await sides[by].begin(sides[by === 0 ? 1 : 0].publish())
    },
  }
  for (const each of actions) await steps[each.kind](each as never)
  for (const to of [0, 1] as const)
    for (const { sealed, text } of inboxes[to]) assert.equal(await sides[to].decrypt(sealed), text)
}

test('every delivered message is readable once, also if others are lost, late or doubled, or sessions begin anew', async () => {
  await fc.assert(fc.asyncProperty(fc.array(action, { maxLength: 60 }), run), { numRuns: 150 })
})
