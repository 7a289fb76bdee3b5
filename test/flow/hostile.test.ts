// Malformed and forged frames at every layer of the protocol, from contacts and from the network: the process lives on, instances stay
// online, and honest messages arrive once. `npm run soak -- --hostile` sends half a million of them.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { runHostile } from '../soak/hostile/run-hostile.ts'
import { engines } from '../support/engines.ts'

const FRAMES = 500
const SEED = 26

for (const engine of engines) {
  describe(`hostile frames on ${engine.name}`, () => {
    test('nothing honest is lost or doubled, and no frame ends, blocks or disconnects the gateway', async (context) => {
      const say = (line: string) => context.diagnostic(line)
      const { counts } = await runHostile({ engine, frames: FRAMES, seed: SEED, say })
      for (const layer of ['nodes', 'stanzas', 'protobuf', 'forgeries', 'senderKeys', 'media', 'appState'])
        assert.ok((counts[layer] ?? 0) > 0, `${layer} was among the frames`)
    })
  })
}
