// What tenants share is named by kind and id (src/kernel/async/entry-name.ts). Buckets, locks and places demand such a name by their types; the
// rest is read from the sources: caches, maps by number, and names that were put together by hand.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { positionOf } from './support/features.ts'
import { withoutComments } from './support/imports.ts'
import { isTest, sources } from './support/product-sources.ts'

/** A connection of one instance has its own caches, a command is a process of its own, and rows of the store have their keys. */
const OTHERS = [
  'src/network/',
  'src/whatsapp/',
  'src/store/',
  'src/doors/cli/',
  'src/doors/chatwoot/queries.ts',
]
const shared = sources('src/**/*.ts').filter(
  (source) =>
    !isTest(source) &&
    positionOf(source.path)?.layer !== 'store' &&
    !OTHERS.some((folder) => source.path.startsWith(folder)),
)

/** `path text` of each match. */
const found = (files: ReturnType<typeof sources>, pattern: RegExp): string[] =>
  files.flatMap(({ path, text }) =>
    withoutComments(text)
      .split('\n')
      .filter((line) => pattern.test(line))
      .map((line) => `${path} ${line.trim()}`),
  )

/** Caches without ids of rows in their keys. */
const CACHES: Record<string, string> = {
  'src/kernel/async/bounded-map.ts': 'the map itself',
  'src/accounts/key-rate-limit.ts': 'by rate',
  'src/accounts/authenticate.ts': 'by the text of a secret, one cache for each kind of credential',
  'src/kernel/outbound/pools.ts': 'by origin',
  'src/receiving/recorder.ts': 'one for each instance',
}

test('a cache that tenants share is keyed by names of entries', () => {
  const caches = found(shared, /createBoundedMap(?!<EntryName\b)[<(]/)
  assert.deepEqual(
    caches.filter((line) => !((line.split(' ')[0] ?? '') in CACHES)),
    [],
    'use createBoundedMap<EntryName<…>, …>, or say in CACHES what the key is',
  )
})

/** Maps by number, each with the one kind of ids that it has. */
const BY_NUMBER: Record<string, string> = {
  'src/kernel/outbound/own-listeners.ts': 'ports of this machine',
  'src/sessions/state-keeper.ts': 'instances',
  'src/sessions/fleet.ts': 'instances',
  'src/contacts/pictures.ts': 'instances',
  'src/webhooks/transports/connections.ts': 'webhooks that are destinations',
  'src/webhooks/worker.ts': 'webhooks',
  'src/accounts/key-uses.ts': 'keys of accounts',
  'src/nodes/wake-ups.ts': 'nodes',
  'src/events/live-events.ts': 'accounts',
}

test('a map by number that outlives a call has ids of one kind', () => {
  const maps = found(shared, /^ {2}(?:const|let) \w+ = new (?:Map|Set)<number\b/)
  assert.deepEqual(
    maps.filter((line) => !((line.split(' ')[0] ?? '') in BY_NUMBER)),
    [],
    'use entryName, or say in BY_NUMBER which ids these are',
  )
})

/** What is not the name of an entry. */
const TEXTS: Record<string, string> = {
  'src/sending/media-source.ts': 'read again by the function that copies an upload',
  'src/receiving/arrival-guard.ts': 'a line in a file of marks',
  'src/statistics/rules-counted.ts': 'the label of a count',
  'src/sending/rules.ts': 'digested into the id of a message',
  'src/doors/chatwoot/serve.ts': 'a part of the idempotency key of one bridge',
  'src/statistics/count-log.ts': 'the columns of a row',
  'src/nodes/balancer.ts': 'the state of nodes, compared as a whole',
}

test('a name of an entry is made by entryName', () => {
  const byHand = found(shared, /`\$\{[^}]*\b\w*[iI]d\}[ :]/)
  assert.deepEqual(
    byHand.filter((line) => !((line.split(' ')[0] ?? '') in TEXTS)),
    [],
    'use entryName, or say in TEXTS what the text is',
  )
  assert.deepEqual(found(sources('src/**/*.ts'), /\bas (?:unknown as )?EntryName\b/), [
    "src/kernel/async/entry-name.ts ): EntryName<Kind> => [kind, id, ...parts].join(':') as EntryName<Kind>",
  ])
})

test('no id is made negative to tell it from the id of another table', () => {
  const negative = found(shared, /[:=] -\w*[iI]d\b/)
  assert.deepEqual(
    negative.filter((line) => !line.startsWith('src/accounts/audit.ts')),
    [],
  )
})
