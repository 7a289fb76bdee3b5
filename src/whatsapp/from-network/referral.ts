// The advertisement or link that a message came from: what the phone of the sender knows about the click.
import { proto } from 'baileys'
import type { Json, JsonObject } from '../../network/message.ts'
import { bytesOrNull, countOf, present, textOrNull } from './wire-values.ts'

type ContextInfo = proto.IContextInfo
type Ad = proto.ContextInfo.IExternalAdReplyInfo

/** A stranger writes these fields. Longer values are cut off; opaque ones are left out, because a part of them is of no use. */
const MAX_TEXT_LENGTH = 2048
const MAX_OPAQUE_BYTES = 16 * 1024

const { AdType, MediaType } = proto.ContextInfo.ExternalAdReplyInfo
const AD_TYPES = new Map([
  [AdType.CTWA, 'ctwa'],
  [AdType.CAWC, 'cawc'],
])
const MEDIA_TYPES = new Map([
  [MediaType.IMAGE, 'image'],
  [MediaType.VIDEO, 'video'],
])

/** Null for a message that no advertisement led to. Some messages carry only opaque data, without the advertisement itself. */
export function referralIn(info: ContextInfo | null | undefined): JsonObject | null {
  if (!info) return null
  const source = sourceOf(info.externalAdReply)
  const conversion = present({
    source: text(info.conversionSource),
    data: opaque(info.conversionData),
    delaySeconds: countOf(info.conversionDelaySeconds) || null,
  })
  const clues = present({ ctwaSignals: text(info.ctwaSignals), ctwaPayload: opaque(info.ctwaPayload) })
  const facts = { ...source, ...present({ conversion: unlessEmpty(conversion) }), ...clues }
  if (Object.keys(facts).length === 0) return null
  return { ...facts, ...present({ entryPoint: unlessEmpty(entryPointOf(info)) }) }
}

/** Other messages have this form too, as a card without an advertisement. */
function sourceOf(ad: Ad | null | undefined): JsonObject {
  const source = present({
    sourceType: text(ad?.sourceType),
    sourceId: text(ad?.sourceId),
    sourceUrl: text(ad?.sourceUrl),
    sourceApp: text(ad?.sourceApp),
    ctwaClid: text(ad?.ctwaClid),
    ref: text(ad?.ref),
  })
  const isAd = ['sourceType', 'sourceId', 'ctwaClid', 'ref'].some((name) => name in source)
  return ad && isAd ? { ...source, ...shownIn(ad) } : {}
}

const shownIn = (ad: Ad): JsonObject =>
  present({
    title: text(ad.title),
    body: text(ad.body),
    mediaType: MEDIA_TYPES.get(ad.mediaType ?? MediaType.NONE),
    thumbnailUrl: text(ad.thumbnailUrl),
    originalImageUrl: text(ad.originalImageUrl),
    greeting: text(ad.greetingMessageBody),
    // The first value of the enum, which the wire format may omit.
    adType: AD_TYPES.get(ad.adType ?? AdType.CTWA),
  })

const entryPointOf = (info: ContextInfo): JsonObject =>
  present({
    source: text(info.entryPointConversionSource),
    app: text(info.entryPointConversionApp),
    delaySeconds: countOf(info.entryPointConversionDelaySeconds) || null,
    externalSource: text(info.entryPointConversionExternalSource),
    externalMedium: text(info.entryPointConversionExternalMedium),
  })

const text = (value: string | null | undefined): string | null =>
  textOrNull(value?.slice(0, MAX_TEXT_LENGTH).toWellFormed())

function opaque(value: Uint8Array | null | undefined): Json | undefined {
  const bytes = bytesOrNull(value)
  return bytes && bytes.length <= MAX_OPAQUE_BYTES ? bytes.toString('base64') : undefined
}

const unlessEmpty = (fields: JsonObject): JsonObject | null =>
  Object.keys(fields).length > 0 ? fields : null
