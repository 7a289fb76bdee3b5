// Everything that a stranger can send, each with one part that is as large as the network carries: generated from the schema of the
// library, the table of stanzas, and the crafted messages.
import { deflateSync } from 'node:zlib'
import { proto } from 'baileys'
import type { Generator, HostileFrame, Scene } from '../scene.ts'
import { CRAFTED, type CraftedCase, plaintext, type Stage } from './crafted.ts'
import { encodeLarge, type Shape, shapesOf } from './field-values.ts'
import {
  type FieldPath,
  kindOf,
  largeFieldsFrom,
  messageTypeIn,
  pathText,
  typeNamed,
  typesFrom,
} from './schema-fields.ts'
import { LARGE_STANZAS } from './stanzas.ts'

/** What the network carries in one frame, with room for what surrounds the content. */
export const FRAME_BYTES = 720_000

export interface LargeCase extends Pick<CraftedCase, 'prepare' | 'follow' | 'mayBeWhole'> {
  name: string
  /** `own phone`: only the phone of the account can have encrypted it. */
  source: 'message' | 'own phone' | 'patch' | 'stanza' | 'crafted'
  frames(scene: Scene): HostileFrame[]
  /** Of a content that is compressed. */
  sizeBytes?: number | undefined
  /** Among the cases of every run. */
  isRepresentative: boolean
}

/** The message that the phone of the account sends to its linked devices. */
function historyFrame({ target }: Scene, history: Uint8Array): HostileFrame {
  const content = proto.Message.encode({
    protocolMessage: {
      type: proto.Message.ProtocolMessage.Type.HISTORY_SYNC_NOTIFICATION,
      historySyncNotification: {
        syncType: proto.Message.HistorySyncType.RECENT,
        initialHistBootstrapInlinePayload: deflateSync(history),
        progress: 100,
        chunkOrder: 1,
      },
    },
  }).finish()
  return { as: 'plaintext', from: target.number, bytes: Buffer.concat([content, Buffer.from([1])]) }
}

let patches = 0

/** A patch that cannot be applied ends the sync of its collection: each is in a collection of its own. */
const patchFrame = (_scene: Scene, bytes: Buffer): HostileFrame => ({
  as: 'patch',
  collection: `odd_${(patches += 1)}`,
  bytes,
})

/** The kinds of which the index says more than the content. All others are known by their content. */
const INDEX_KINDS: Readonly<Record<string, string>> = {
  contactAction: 'contact',
  labelEditAction: 'label_edit',
  labelAssociationAction: 'label_jid',
}

/** The phone reads all patches of a collection before it adds one: those of this one can be read. */
const HEALTHY_COLLECTION = 'regular_high'

function actionFrame({ attackers }: Scene, bytes: Buffer, { fields }: FieldPath): HostileFrame {
  const kind = fields[0]?.name ?? ''
  const chat = `${attackers[0]?.number}@s.whatsapp.net`
  const isLabel = kind.startsWith('label')
  const index = [INDEX_KINDS[kind] ?? kind, ...(isLabel ? ['7'] : []), chat, '3EB0A', '0', '0']
  return { as: 'action', collection: HEALTHY_COLLECTION, index, bytes }
}

/** The first path of each kind of field at each depth, and each kind of message once. */
function representatives(paths: readonly FieldPath[]): ReadonlySet<FieldPath> {
  const first = new Map<string, FieldPath>()
  for (const path of paths) {
    const [head] = path.fields
    const leaf = path.fields.at(-1)
    if (!head || !leaf) continue
    for (const trait of [head.name, `${kindOf(leaf)} at ${path.fields.length}`])
      if (!first.has(trait)) first.set(trait, path)
  }
  return new Set(first.values())
}

function fromSchema(
  paths: readonly FieldPath[],
  source: LargeCase['source'],
  frame: (scene: Scene, content: Buffer, path: FieldPath) => HostileFrame,
): LargeCase[] {
  const chosen = representatives(paths)
  return paths.flatMap((path) =>
    shapesOf(path).map((shape: Shape, index) => ({
      name: `${pathText(path)} ${shape}`,
      source,
      sizeBytes: path.root.name === 'HistorySync' ? FRAME_BYTES : undefined,
      frames: (scene: Scene) => [frame(scene, encodeLarge(path, shape, FRAME_BYTES), path)],
      // The last shape is the most costly one of most fields.
      isRepresentative: chosen.has(path) && index === shapesOf(path).length - 1,
    })),
  )
}

/** Messages of a history are read where a chat contains them. The content of strangers in them has the paths of messages. */
function historyPaths(): FieldPath[] {
  const info = typeNamed('WebMessageInfo')
  const messages = typesFrom(typeNamed('Message'))
  const history = typeNamed('HistorySync')
  const around = largeFieldsFrom(history, new Set([...messages, ...typesFrom(info)]))
  const chats = history.fields['conversations']
  const list = chats && messageTypeIn(chats)?.fields['messages']
  const entry = list && messageTypeIn(list)?.fields['message']
  if (!chats || !list || !entry) throw new Error('a history has no messages any more: mend the path to them')
  const inside = largeFieldsFrom(info, messages).map(({ fields }) => ({
    root: history,
    fields: [chats, list, entry, ...fields],
  }))
  return [...around, ...inside]
}

const crafted = ({ frames, ...other }: CraftedCase): LargeCase => ({
  ...other,
  source: 'crafted',
  frames: (scene) => frames?.(scene, FRAME_BYTES) ?? [],
  isRepresentative: true,
})

/** Stanzas of a kind have the same readers: the first part of each kind stands for the others. */
function stanzaCases(): LargeCase[] {
  const kinds = new Set<string>()
  return LARGE_STANZAS.map(({ name, encode }) => {
    const [kind = ''] = name.split(':')
    const isFirst = !kinds.has(kind)
    kinds.add(kind)
    return {
      name,
      source: 'stanza',
      mayBeWhole: true,
      frames: (scene) => [{ as: 'frame', bytes: encode(scene, FRAME_BYTES) }],
      isRepresentative: isFirst,
    }
  })
}

export const allCases = (): LargeCase[] => [
  ...CRAFTED.map(crafted),
  ...stanzaCases(),
  ...fromSchema(largeFieldsFrom(typeNamed('Message')), 'message', plaintext),
  ...fromSchema(historyPaths(), 'own phone', historyFrame),
  ...fromSchema(largeFieldsFrom(typeNamed('SyncActionValue')), 'own phone', actionFrame),
  ...fromSchema(largeFieldsFrom(typeNamed('SyncdPatch')), 'patch', patchFrame),
]

let ready: LargeCase[] | undefined

/** The largest frame of a random field, of those that a stranger or the network can send. */
export const oneOfTheLargest: Generator = (random, scene) => {
  ready ??= allCases().filter(({ prepare, source }) => prepare === undefined && source !== 'own phone')
  return random.pick(ready).frames(scene)
}

/** The frames of a case, and the work before them. */
export async function framesOf({ prepare, frames }: LargeCase, stage: Stage): Promise<HostileFrame[]> {
  return (await prepare?.(stage, FRAME_BYTES)) ?? frames(stage.scene)
}
