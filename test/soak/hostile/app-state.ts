// The layer of app state: patches of the account whose mutations, indices and authentication codes make no sense.
import { proto } from 'baileys'
import { mutate } from './mutate.ts'
import { digits, oddText } from './odd-values.ts'
import type { Random } from './random.ts'
import type { Generator } from './scene.ts'

/** Collections of which nothing is expected: a patch that cannot be read ends the sync of its collection. */
const COLLECTIONS = ['regular_low', 'critical_block', 'odd_collection']

const mutation = (random: Random): proto.ISyncdMutation => ({
  operation: random.below(3),
  record: {
    index: { blob: random.bytes(random.pick([0, 31, 32, 33])) },
    value: { blob: random.bytes(random.pick([0, 16, 32, 64, 100])) },
    keyId: { id: random.bytes(random.pick([0, 6])) },
  },
})

export const hostilePatches: Generator = (random) => {
  const patch = proto.SyncdPatch.encode({
    mutations: Array.from({ length: random.below(20) }, () => mutation(random)),
    ...(random.chance(0.2) && {
      externalMutations: {
        directPath: `/v/${oddText(random)}`,
        mediaKey: random.bytes(32),
        fileSizeBytes: 2 ** 53,
      },
    }),
    snapshotMac: random.bytes(random.pick([0, 32])),
    patchMac: random.bytes(random.pick([0, 32])),
    keyId: { id: random.bytes(random.pick([0, 6])) },
    exitCode: { code: random.below(1000), text: digits(random, 10) },
    deviceIndex: random.below(1000),
  }).finish()
  const isWhole = random.chance(0.7)
  return [
    {
      as: 'patch',
      collection: random.pick(COLLECTIONS),
      bytes: isWhole ? Buffer.from(patch) : mutate(random, patch),
    },
  ]
}
