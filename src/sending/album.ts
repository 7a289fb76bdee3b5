// Several images and videos as one album: a message that announces them, and one for each file. Each is accepted as every send is; the
// announcement takes what all of them need of the limits, so that no limit ends in the middle of an album (decision 0178).
import type { z } from 'zod'
import type { Caller } from '../accounts/caller.ts'
import { recipientOf } from '../chats/rules.ts'
import type { CheckUrl, Deps } from '../context.ts'
import type { AlbumBody } from '../contract/album-body.ts'
import { omitUndefined } from '../contract/omit-undefined.ts'
import type { sendAlbum as declared } from '../contract/sending.ts'
import { GatewayError, invalidField } from '../errors.ts'
import { findUpload } from '../files/upload-queries.ts'
import { allowedMediaUrl } from '../files/uploads.ts'
import type { OutgoingMessage, Sending, SendReceipt } from './accept.ts'
import type { HeldContent } from './held-content.ts'
import { kindOfFile } from './outgoing.ts'
import { memberId } from './rules.ts'

type Body = z.output<typeof AlbumBody>
type File = Body['files'][number]
type MemberKind = z.output<typeof declared.answer>['members'][number]['type']

export interface AlbumDeps extends Pick<Deps, 'store'> {
  sending: Sending
  checkUrl: CheckUrl
}

export async function sendAlbum(
  deps: AlbumDeps,
  caller: Caller,
  body: Body,
  idempotencyKey: string | undefined,
): Promise<Omit<SendReceipt, 'answer'> & { answer: Omit<z.output<typeof declared.answer>, 'success'> }> {
  const kinds: MemberKind[] = []
  for (const [index, file] of body.files.entries()) kinds.push(await kindIn(deps, caller, file, index))
  const { sending } = deps
  const files = kinds.map((kind, index) => ({
    message: memberMessage(body, kind, { messageId: '', index }),
    path: `files.${index}.`,
  }))
  // Before the first message is accepted: a file that cannot be fetched refuses the album as a whole.
  const held = [...(await sending.hold(caller, files, idempotencyKey))]
  try {
    const receipt = await sending.send(caller, albumMessage(body, kinds), { idempotencyKey })
    const { messageId } = receipt.answer
    const members: { messageId: string; type: MemberKind }[] = []
    for (const [index, type] of kinds.entries()) {
      const member = {
        ...memberMessage(body, type, { messageId, index }),
        held: inAlbum(held.shift(), messageId),
      }
      // A line break keeps callers of the API from using the same key.
      const { answer } = await sending.send(caller, member, {
        idempotencyKey: `album\n${messageId}:${index}`,
      })
      members.push({ messageId: answer.messageId, type })
    }
    return { ...receipt, answer: { ...receipt.answer, members } }
  } finally {
    await sending.discard(held)
  }
}

/** What was held before the album had its message id. */
const inAlbum = (held: HeldContent | undefined, messageId: string): HeldContent | undefined =>
  held && { ...held, content: { ...held.content, album: { messageId } } }

async function kindIn(deps: AlbumDeps, caller: Caller, file: File, index: number): Promise<MemberKind> {
  const path = `files.${index}`
  allowedMediaUrl(deps.checkUrl, file.mediaUrl, `${path}.mediaUrl`)
  // Before the first message is accepted, because the others would be refused.
  if (file.mediaId !== undefined && !(await findUpload(deps.store.db, caller.account.id, file.mediaId)))
    throw new GatewayError('media_not_found')
  const kind = file.type ?? (await kindOfFile(deps, caller, file, `${path}.type`))
  if (kind !== 'image' && kind !== 'video')
    throw invalidField(`${path}.type`, 'an album has images and videos only')
  return kind
}

const common = (body: Body) => ({
  instanceName: body.instanceName,
  to: recipientOf(body),
  sendAt: body.sendAt ?? null,
  expiresAt: body.expiresAt ?? null,
  reference: body.reference,
})

/** `files` makes a request with other files and the same idempotency key a different one. */
const albumMessage = (body: Body, kinds: MemberKind[]): OutgoingMessage => ({
  ...common(body),
  kind: 'album',
  takes: body.files.length,
  content: {
    images: kinds.filter((kind) => kind === 'image').length,
    videos: kinds.filter((kind) => kind === 'video').length,
    files: body.files.map((file) => omitUndefined(file)),
  },
  quotedMessageId: body.quotedMessageId,
  requestedDelayMs: body.delay ?? null,
  delayMs: body.delay ?? 0,
})

const memberMessage = (
  body: Body,
  kind: MemberKind,
  { messageId, index }: { messageId: string; index: number },
): OutgoingMessage => {
  const { mediaUrl, mediaId, message, caption, fileName } = body.files[index] ?? {}
  return {
    ...common(body),
    messageId: memberId(messageId, index),
    kind,
    takes: 0,
    content: omitUndefined({
      mediaUrl,
      mediaId,
      message: message ?? caption,
      fileName,
      mentions: index === 0 ? body.mentions : undefined,
      album: { messageId },
    }),
    requestedDelayMs: 0,
    delayMs: 0,
  }
}
