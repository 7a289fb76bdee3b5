// Status posts of a phone: text or a file, for the people in its address book or for listed ones.
import type { proto } from 'baileys'
import type { z } from 'zod'
import type { postStatus as body } from '../../src/contract/sandbox-action-requests.ts'
import { STATUS_JID } from '../model/address.ts'
import type { Account, World } from '../model/world.ts'
import type { RoutingState, SandboxState } from '../network/sandbox-state.ts'
import { compose } from './compose.ts'
import type { Phone } from './phone.ts'
import { findChat, send } from './send.ts'

type Post = z.output<typeof body>

export async function postStatus(
  state: RoutingState & Pick<SandboxState, 'media'>,
  phone: Phone,
  post: Post,
  host: string,
): Promise<string> {
  const audience = audienceOf(state.world, phone, post.to)
  const message: proto.IMessage =
    post.text === undefined
      ? await compose(state, phone, { to: STATUS_JID, media: post.media }, host)
      : { extendedTextMessage: { text: post.text, backgroundArgb: opaque(post.backgroundColor) } }
  return send(state, phone, { chat: { name: STATUS_JID, audience }, message })
}

function audienceOf(world: World, phone: Phone, numbers: string[] | undefined): Account[] {
  if (!numbers)
    return Object.keys(phone.account.addressBook).flatMap((number) => world.accounts.get(number) ?? [])
  return numbers.flatMap((number) => findChat(world, phone, number).person ?? [])
}

/** The protocol writes a colour as alpha, red, green, blue. */
function opaque(color: string): number {
  return Number.parseInt(`ff${color.slice(1)}`, 16)
}
