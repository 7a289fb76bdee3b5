// Encodes a message whose one field is as large as asked for. Written byte by byte from the schema, so that nothing in it is refused or
// normalized by the encoder of the library.
import protobuf from 'protobufjs'
import { type Field, type FieldPath, messageTypeIn, type Type } from './schema-fields.ts'

/** How a large field is filled. */
export type Shape = 'equal' | 'small' | 'different' | 'nested'

const LENGTH_DELIMITED = 2
const WIRE_TYPE_BITS = 3
const VARINT_REST = 0x7f
const MORE = 0x80

function varint(value: number): Buffer {
  const bytes: number[] = []
  let left = value
  while (left > VARINT_REST) {
    bytes.push((left % MORE) | MORE)
    left = Math.floor(left / MORE)
  }
  bytes.push(left)
  return Buffer.from(bytes)
}

const tag = (id: number, wireType: number): Buffer => varint(id * 2 ** WIRE_TYPE_BITS + wireType)

export const delimited = (id: number, ...content: Uint8Array[]): Buffer => {
  const length = content.reduce((sum, { byteLength }) => sum + byteLength, 0)
  return Buffer.concat([tag(id, LENGTH_DELIMITED), varint(length), ...content])
}

const wireTypeOf = ({ type }: Field): number => (protobuf.types.basic as Record<string, number>)[type] ?? 0

/** Numbers of a few bytes, booleans and members of an enumeration. */
function numberBytes(field: Field, value: number): Buffer {
  const FIXED_32 = 5
  const FIXED_64 = 1
  const wireType = wireTypeOf(field)
  if (wireType === FIXED_32) return Buffer.alloc(4, value % 251)
  if (wireType === FIXED_64) return Buffer.alloc(8, value % 251)
  return varint(value)
}

const isText = ({ type }: Field): boolean => type === 'string'
const isBytes = ({ type }: Field): boolean => type === 'bytes'
const isFlag = ({ type }: Field): boolean => type === 'bool'
const isEnumeration = (field: Field): boolean => field.resolvedType instanceof protobuf.Enum
const isChoice = ({ partOf }: Field): boolean =>
  partOf !== null && partOf !== undefined && !isOptional(partOf)
/** The compiler of the schema puts each optional field into a group of its own. */
const isOptional = (group: protobuf.OneOf): boolean => group.fieldsArray.length === 1

const FIRST_NUMBER = 5_511_900_000_000
const KEY_BYTES = 32

/** A likely value, different for each index. */
function smallText(field: Field, index: number): string {
  if (/lid/i.test(field.name)) return `${FIRST_NUMBER + index}@lid`
  if (/jid|participant|sender|author/i.test(field.name)) return `${FIRST_NUMBER + index}@s.whatsapp.net`
  return `${field.name.slice(0, 4)} ${index}`
}

function smallValue(field: Field, index: number): Buffer {
  if (isText(field)) return delimited(field.id, Buffer.from(smallText(field, index)))
  if (isBytes(field)) return delimited(field.id, Buffer.alloc(KEY_BYTES, index % 251))
  return Buffer.concat([tag(field.id, wireTypeOf(field)), numberBytes(field, index + 1)])
}

/** What another message is named by: without it most changes are not read at all. */
const isKey = (field: Field): boolean => messageTypeIn(field)?.name === 'MessageKey' && !field.repeated

/** The small fields of a type. Flags and enumerations would make it another kind of message. */
function furnished(type: Type, index: number, except?: Field): Buffer {
  const parts = type.fieldsArray
    .filter((field) => field !== except && !field.repeated && !field.map && !isChoice(field))
    .flatMap((field) => {
      if (isKey(field)) return [delimited(field.id, furnished(messageTypeIn(field) as Type, index))]
      if (messageTypeIn(field) || isFlag(field) || isEnumeration(field)) return []
      return [smallValue(field, index)]
    })
  return Buffer.concat(parts)
}

/** With one field that is as short as it can be. */
function smallElement(type: Type): Buffer {
  const field = type.fieldsArray.find((each) => isText(each) && !each.repeated)
  return field ? delimited(field.id, Buffer.from('x')) : furnished(type, 0)
}

/** Characters that take up to six times their bytes in JSON, and some that take more in memory. */
const COSTLY = '\u0001"\\\u001f<é漢😀\n'

function costlyText(bytes: number): Buffer {
  const whole = Buffer.from(COSTLY)
  const text = Buffer.alloc(bytes - (bytes % whole.length), whole)
  return Buffer.concat([text, Buffer.alloc(bytes - text.length, 'x')])
}

/** No two stretches are equal, and each run repeats them. */
export function differentBytes(bytes: number): Buffer {
  const content = Buffer.alloc(bytes)
  let state = 1
  for (let index = 0; index < bytes; index += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    content[index] = state >>> 16
  }
  return content
}

const isJson = ({ name }: Field): boolean => /json|params/i.test(name)

/** The shapes that differ for this field. */
export function shapesOf({ fields }: FieldPath): Shape[] {
  const field = fields.at(-1) as Field
  if (messageTypeIn(field)) return ['equal', 'small', 'different']
  // No reader looks into them.
  if (isBytes(field) && !field.repeated) return ['different']
  return isText(field) && isJson(field) ? ['equal', 'different', 'nested'] : ['equal', 'different']
}

function largeText(shape: Shape, bytes: number): Buffer {
  if (shape === 'nested') return Buffer.alloc(bytes, '[')
  return shape === 'equal' ? Buffer.alloc(bytes, 'x') : costlyText(bytes)
}

/** Elements until the size is reached. */
function list(bytes: number, shape: Shape, element: (index: number) => Buffer): Buffer {
  const first = element(0)
  if (shape !== 'different') return Buffer.alloc(bytes - (bytes % first.length), first)
  const elements: Buffer[] = []
  for (let size = 0, index = 0; size < bytes; index += 1) {
    const next = element(index)
    elements.push(next)
    size += next.length
  }
  return Buffer.concat(elements)
}

function elementOf(field: Field, shape: Shape, index: number): Buffer {
  const type = messageTypeIn(field)
  if (type && shape === 'equal') return delimited(field.id)
  if (type && shape === 'small') return delimited(field.id, smallElement(type))
  if (type) return delimited(field.id, furnished(type, index))
  const isSame = shape !== 'different'
  if (isText(field)) return delimited(field.id, Buffer.from(isSame ? 'x' : smallText(field, index)))
  if (isBytes(field)) return delimited(field.id, isSame ? Buffer.from([1]) : differentBytes(4))
  return Buffer.concat([tag(field.id, wireTypeOf(field)), numberBytes(field, isSame ? 0 : index + 1)])
}

function largeValue(field: Field, shape: Shape, bytes: number): Buffer {
  if (field instanceof protobuf.MapField) {
    const entry = (index: number) => delimited(field.id, delimited(1, Buffer.from(`key ${index}`)))
    return list(bytes, shape === 'equal' ? 'equal' : 'different', entry)
  }
  if (field.repeated && field.packed && !isText(field) && !isBytes(field) && !messageTypeIn(field)) {
    const numbers = list(bytes, shape, (index) => numberBytes(field, shape === 'different' ? index + 1 : 0))
    return delimited(field.id, numbers)
  }
  if (field.repeated) return list(bytes, shape, (index) => elementOf(field, shape, index))
  if (isText(field)) return delimited(field.id, largeText(shape, bytes))
  if (isBytes(field))
    return delimited(field.id, shape === 'equal' ? Buffer.alloc(bytes) : differentBytes(bytes))
  // A type with nothing large in it.
  return delimited(field.id)
}

/** A root may be one of many kinds of message: a second field would decide which. */
const isOfOneKind = (type: Type): boolean => type.name !== 'Message'

/** A message of the root's type. Fields beside the large one have small values, except where all is equal. */
export function encodeLarge(path: FieldPath, shape: Shape, bytes: number): Buffer {
  const { root, fields } = path
  const types = [root, ...fields.slice(0, -1).map((field) => messageTypeIn(field) as Type)]
  let content = largeValue(fields.at(-1) as Field, shape, bytes)
  for (const [index, type] of [...types.entries()].toReversed()) {
    const field = fields[index] as Field
    const isLast = index === fields.length - 1
    if (!isLast) content = delimited(field.id, content)
    if (shape !== 'equal' && isOfOneKind(type) && !isChoice(field))
      content = Buffer.concat([furnished(type, index, field), content])
  }
  return content
}
