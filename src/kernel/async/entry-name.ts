// Names of buckets, cache entries and locks. Ids of different tables are equal numbers, so a name begins with the kind of its owner.

declare const made: unique symbol

/** Only `entryName` makes one: neither a bare id nor a text that was put together elsewhere is accepted in its place. */
export type EntryName<Kind extends string = string> = string & { readonly [made]: Kind }

/** `kind` is the table or the kind of credential that the id belongs to. What distinguishes entries of one owner follows its id. */
export const entryName = <const Kind extends string>(
  kind: Kind,
  id: number | string,
  ...parts: readonly string[]
): EntryName<Kind> => [kind, id, ...parts].join(':') as EntryName<Kind>
