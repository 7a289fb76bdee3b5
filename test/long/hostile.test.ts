// Malformed and forged frames at every layer of the protocol, from contacts and from the network: the process lives on, instances stay
// online, and honest messages arrive once. `npm run soak -- --hostile` sends half a million of them.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { encodeBinaryNode } from 'baileys'
import { runHostile } from '../soak/hostile/run-hostile.ts'
import { openStage, pairAll, sendFrom } from '../soak/stage.ts'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import { engines } from '../support/engines.ts'

const FRAMES = 500
const SEED = Number(process.env.HOSTILE_SEED ?? 26)
const INSTANCE = '5511971000001'
const PERSON = '5511981000001'

// What is refused before it is stored is the same on every engine.
for (const engine of behaviourEngines()) {
  describe(`hostile frames on ${engine.name}`, () => {
    test('nothing honest is lost or doubled, and no frame ends, blocks or disconnects the gateway', async (context) => {
      const say = (line: string) => context.diagnostic(line)
      const { counts } = await runHostile({ engine, frames: FRAMES, seed: SEED, say })
      for (const layer of ['nodes', 'stanzas', 'protobuf', 'forgeries', 'senderKeys', 'media', 'appState'])
        assert.ok((counts[layer] ?? 0) > 0, `${layer} was among the frames`)
    })
  })
}

describe('a receipt of an unknown person', () => {
  test('does not keep the instance from sending: the lookup of names never waits for its own answer', async () => {
    const [engine] = engines
    assert.ok(engine)
    const stage = await openStage(engine, [INSTANCE], SEED)
    try {
      await stage.world.phone(PERSON, 'Honest')
      await pairAll(stage)
      const attrs = { id: 'ABCDEF', from: '295179556357@s.whatsapp.net', t: '1700000000' }
      const bytes = Buffer.from(encodeBinaryNode({ tag: 'receipt', attrs })).toString('base64')
      await stage.world.post('/injections', { number: INSTANCE, frames: [{ as: 'frame', bytes }] })
      const { id = '' } = await sendFrom(stage, { instance: INSTANCE, person: PERSON, count: 1 })
      assert.equal((await stage.world.shown(PERSON, id)).text, 'out 1')
    } finally {
      await stage.end()
    }
  })
})
