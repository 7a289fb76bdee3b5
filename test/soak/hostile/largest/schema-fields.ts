// Walks the schema of the network library from a type to each of its fields, nested ones included. A field that a later version of the
// library adds is found without a change here.
import { createRequire } from 'node:module'
import protobuf from 'protobufjs'

const SCHEMA_FILE = createRequire(import.meta.url).resolve('baileys/WAProto/WAProto.proto')

export type Field = protobuf.Field
export type Type = protobuf.Type

/** A field and the fields that lead to it from the root, itself included. */
export interface FieldPath {
  root: Type
  fields: readonly Field[]
}

let loaded: protobuf.Namespace | undefined
const schema = (): protobuf.Namespace => (loaded ??= protobuf.loadSync(SCHEMA_FILE).resolveAll())

export const typeNamed = (name: string): Type => schema().lookupType(`proto.${name}`)

export const messageTypeIn = (field: Field): Type | undefined =>
  field.resolvedType instanceof protobuf.Type ? field.resolvedType : undefined

/** The kind of values in it. */
export const kindOf = (field: Field): string =>
  `${field.repeated ? 'repeated ' : ''}${messageTypeIn(field) ? 'message' : field.type}`

/** Text, bytes, or any number of elements: the fields that may be large. */
const mayBeLarge = (field: Field): boolean =>
  field.repeated || field.map || field.type === 'string' || field.type === 'bytes'

/**
 * Each field of each type that can be reached, once, on the shortest way. Fields of a type that was reached on another way before are
 * listed with the heaviest field below them, so that each use of a type is covered too. `known` types are not walked again.
 */
export function largeFieldsFrom(root: Type, known: ReadonlySet<Type> = new Set()): FieldPath[] {
  const ways = new Map<Type, readonly Field[]>([[root, []]])
  const found: FieldPath[] = []
  // A type that is added to the map is visited by this loop.
  for (const [type, way] of ways) {
    for (const field of type.fieldsArray) {
      const fields = [...way, field]
      if (mayBeLarge(field)) found.push({ root, fields })
      const inner = messageTypeIn(field)
      if (!inner) continue
      if (!ways.has(inner) && !known.has(inner)) ways.set(inner, fields)
      else if (!mayBeLarge(field)) {
        const rest = heaviestIn(inner)
        if (rest.length > 0) found.push({ root, fields: [...fields, ...rest] })
      }
    }
  }
  return found
}

export const typesFrom = (root: Type): Set<Type> => {
  const types = new Set([root])
  for (const type of types)
    for (const field of type.fieldsArray) {
      const inner = messageTypeIn(field)
      if (inner) types.add(inner)
    }
  return types
}

/** A list of texts costs more than a list of messages, and that more than a text. */
const WEIGHTS: readonly ((field: Field) => boolean)[] = [
  (field) => field.repeated && field.type === 'string',
  (field) => field.repeated,
  (field) => field.type === 'string',
  mayBeLarge,
]

/** The way to a large field of this type, or of the nearest type below it; empty if there is none. */
function heaviestIn(type: Type): readonly Field[] {
  const ways = new Map<Type, readonly Field[]>([[type, []]])
  for (const [each, way] of ways) {
    for (const isHeavy of WEIGHTS) {
      const field = each.fieldsArray.find(isHeavy)
      if (field) return [...way, field]
    }
    for (const field of each.fieldsArray) {
      const inner = messageTypeIn(field)
      if (inner && !ways.has(inner)) ways.set(inner, [...way, field])
    }
  }
  return []
}

export const pathText = ({ root, fields }: FieldPath): string =>
  [root.name, ...fields.map((field) => `${field.name}${field.repeated || field.map ? '[]' : ''}`)].join('.')
