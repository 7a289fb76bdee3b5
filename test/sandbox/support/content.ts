// Content that several tests send.
import type { BinaryNode } from 'baileys'

export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

export function flow(name: string, params: Record<string, string>) {
  return { name, buttonParamsJson: JSON.stringify(params) }
}

/** The node without which phones do not show buttons. */
export function bizFlow(): BinaryNode[] {
  const nativeFlow = { tag: 'native_flow', attrs: { v: '9', name: 'mixed' } }
  return [
    {
      tag: 'biz',
      attrs: {
        actual_actors: '2',
        host_storage: '2',
        privacy_mode_ts: String(Math.floor(Date.now() / 1000)),
      },
      content: [
        { tag: 'interactive', attrs: { type: 'native_flow', v: '1' }, content: [nativeFlow] },
        { tag: 'quality_control', attrs: { source_type: 'third_party' } },
      ],
    },
  ]
}

export function bizList(): BinaryNode[] {
  return [{ tag: 'biz', attrs: {}, content: [{ tag: 'list', attrs: { type: 'product_list', v: '2' } }] }]
}
