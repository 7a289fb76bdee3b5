// What the generated table says about a call and its fields.

export type FieldKind =
  | 'string'
  | 'number'
  | 'boolean'
  | 'dateTime'
  | 'options'
  | 'multiOptions'
  /** A list of texts. */
  | 'strings'
  | 'json'

export interface Field {
  name: string
  label: string
  in: 'path' | 'query' | 'body'
  kind: FieldKind
  options?: readonly (string | number)[]
  required?: true
  nullable?: true
  hint?: string
}

export interface Row {
  /** The id of the operation in the OpenAPI document. */
  id: string
  resource: string
  name: string
  summary: string
  method: 'DELETE' | 'GET' | 'PATCH' | 'POST' | 'PUT'
  path: string
  /** `whole`: one field of JSON is the body. */
  body: 'none' | 'json' | 'file' | 'whole'
  fields: readonly Field[]
  fixed?: Readonly<Record<string, unknown>>
  isIdempotent?: true
  waits?: true
  answersFile?: true
  /** The list in an answer that has pages. */
  pageOf?: string
}
