// All layers, and how often each is chosen. Frames that break the connection are rare enough that a connection usually lives for two
// minutes: after a shorter one the gateway doubles the pause before it connects again, up to five minutes.
import { hostilePatches } from './app-state.ts'
import { oneOfTheLargest } from './largest/cases.ts'
import { hostileMedia } from './media.ts'
import { brokenNodes } from './nodes.ts'
import { handshakes, rawFrames } from './noise.ts'
import { oddMessages } from './protobuf.ts'
import type { Random } from './random.ts'
import type { Generator, HostileFrame, Scene } from './scene.ts'
import { forgeries, senderKeys } from './signal.ts'
import { oddStanzas, replays } from './stanzas.ts'

interface Layer {
  weight: number
  generate: Generator
}

export const LAYERS = {
  noise: { weight: 2, generate: rawFrames },
  handshake: { weight: 1, generate: handshakes },
  nodes: { weight: 35_000, generate: brokenNodes },
  stanzas: { weight: 35_000, generate: oddStanzas },
  replays: { weight: 7000, generate: replays },
  protobuf: { weight: 10_000, generate: oddMessages },
  forgeries: { weight: 9000, generate: forgeries },
  senderKeys: { weight: 1500, generate: senderKeys },
  media: { weight: 1500, generate: hostileMedia },
  appState: { weight: 500, generate: hostilePatches },
  largest: { weight: 300, generate: oneOfTheLargest },
} as const satisfies Record<string, Layer>
export type LayerName = keyof typeof LAYERS

export const LAYER_NAMES = Object.keys(LAYERS) as LayerName[]

export interface Generated {
  layer: LayerName
  frames: HostileFrame[]
}

export function generate(random: Random, scene: Scene, names: readonly LayerName[] = LAYER_NAMES): Generated {
  let left = random.below(names.reduce((sum, name) => sum + LAYERS[name].weight, 0))
  const layer = names.find((name) => (left -= LAYERS[name].weight) < 0) as LayerName
  return { layer, frames: LAYERS[layer].generate(random, scene) }
}
