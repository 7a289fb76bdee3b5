// The features of the gateway in their order, and the layers inside them, which are names of files (ARCHITECTURE.md).
import { basename } from 'node:path'

/** From the bottom to the top. A use case may know the features to its left. */
export const FEATURES = [
  'accounts',
  'nodes',
  'instances',
  'events',
  'messages',
  'files',
  'contacts',
  'chats',
  'sending',
  'receiving',
  'statistics',
  'webhooks',
] as const

/** From the bottom to the top. What no name matches is a use case or a worker. */
const LAYERS = [
  // Pure decisions, with the types they decide on.
  { layer: 'rules', name: /^rules\b/ },
  // Rows and statements, on both engines or one file for each, and the conformance tests of both.
  { layer: 'store', name: /^(outbox|conformance|queries|store)\b|-(sqlite|postgres|queries|store)\.ts$/ },
  { layer: 'handlers', name: /^handlers\b/ },
] as const

export type Layer = (typeof LAYERS)[number]['layer'] | 'use cases'

/** The feature and the layer of a file in src; undefined for the rooms around the features. */
export function positionOf(path: string): { feature: number; layer: Layer } | undefined {
  const feature = FEATURES.findIndex((name) => path.startsWith(`src/${name}/`))
  if (feature === -1) return undefined
  const layer = LAYERS.find(({ name }) => name.test(basename(path)))?.layer ?? 'use cases'
  return { feature, layer }
}
