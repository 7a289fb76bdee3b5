// What is known of the network where: the library behind its door, and the words of the network below its port (ARCHITECTURE.md).
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { importsOf, type Source } from './support/imports.ts'
import { productSources, usesIn } from './support/product-sources.ts'

const product = productSources()
const uses = (pattern: RegExp, allowed: readonly string[], files: readonly Source[]): string[] =>
  usesIn(files, pattern, allowed)

describe('one door to the network library', () => {
  const DRIVER = 'src/whatsapp'
  const DOOR = `${DRIVER}/library`
  const driver = product.filter(({ path }) => path.startsWith(`${DRIVER}/`))
  const planted = (text: string, folder: string): Source[] => [
    { path: `${DRIVER}/${folder}/planted.ts`, text },
  ]

  // Messages are its types, which the conversions fill in and read.
  const LIBRARY = /\bfrom\s*['"]baileys\b/
  const IMPORTERS = [DOOR, `${DRIVER}/to-network`, `${DRIVER}/from-network`]
  test('only the folder of the library and the conversions of messages import it', () => {
    assert.deepEqual(uses(LIBRARY, IMPORTERS, driver), [])
    assert.equal(uses(LIBRARY, IMPORTERS, planted("import { proto } from 'baileys'", 'sending')).length, 1)
    assert.equal(uses(LIBRARY, IMPORTERS, planted("import { proto } from 'baileys'", 'to-network')).length, 0)
  })

  const INSIDE =
    /\b(?:make)?WASocket\b|\b(?:UserFacing)?SocketConfig\b|\bBaileys\w+|\bSignal(?:Repository|KeyStore|Data|Auth)\w*|\bAuthenticationCreds\b|\baddTransactionCapability\b|\bDEFAULT_CONNECTION_CONFIG\b|\bsignalRepository\b|\bauthState\b|\bcreds\b|\.(?:ws|ev)\b|\.prependListener\(/
  test('its socket, its events, its keys and its repository are known to that folder alone', () => {
    assert.deepEqual(uses(INSIDE, [DOOR], driver), [])
    for (const text of [
      "import { makeWASocket } from 'baileys'",
      "import type { SignalRepositoryWithLIDStore } from 'baileys'",
      "import type { BaileysEventMap } from 'baileys'",
      "socket.ws.prependListener('CB:receipt', note)",
      'socket.authState.keys',
    ])
      assert.equal(uses(INSIDE, [DOOR], planted(text, 'from-network')).length, 1, text)
  })

  // `payload.ts` reads what this gateway has stored of its own sends.
  const DECODING = /\b(?:proto|[A-Z]\w+)\.decode(?:Delimited)?\(/
  const GATES = [
    `${DOOR}/received-limits.ts`,
    // Histories are larger, and come from the phone of the account.
    `${DOOR}/history.ts`,
    `${DRIVER}/sending/payload.ts`,
    `${DOOR}/signed-pre-key.ts`,
  ]
  test('content of strangers is decoded within the bounds of received-limits.ts alone', () => {
    assert.deepEqual(uses(DECODING, GATES, driver), [])
    const decoding = planted('proto.Message.PollVoteMessage.decode(plain)', 'from-network')
    assert.equal(uses(DECODING, GATES, decoding).length, 1)
  })

  test('they do not pass the door under another name', () => {
    const names = driver.filter(({ path }) => path === `${DOOR}/protocol.ts`)
    assert.equal(names.length, 1)
    assert.deepEqual(uses(INSIDE, [], names), [])
  })

  test('the folder of the library does not know what the driver does with it', () => {
    // The classification of refusals reads the library's errors.
    const known = [DOOR, `${DRIVER}/settings.ts`, `${DRIVER}/sending/refusals.ts`]
    const inside = driver.filter(({ path }) => path.startsWith(`${DOOR}/`)).flatMap(importsOf)
    const others = inside.filter(
      ({ to }) =>
        to.startsWith(`${DRIVER}/`) && !known.some((each) => to === each || to.startsWith(`${each}/`)),
    )
    assert.deepEqual(others, [])
  })
})

describe('one place for the words of the network', () => {
  // Forms of jids, and the code of a restricted account. The contract shows examples to callers, and so does a help text.
  const NETWORK_WORDS = /@(?:\(\?:)?(?:s\\?\.whatsapp|g\\?\.us|lid\b|broadcast|newsletter)|\b463\b/
  const HOMES = ['src/network', 'src/whatsapp', 'src/contract', 'src/doors/cli/send.ts']
  const above = product.filter(
    ({ path }) => path.startsWith('src/') && !/\bconformance\b/.test(path.replace('.ts', '')),
  )
  test('no file above the port contains the form of a jid, or a code of the network', () => {
    assert.deepEqual(uses(NETWORK_WORDS, HOMES, above), [])
    for (const text of [
      'jid.endsWith("@g.us")',
      '`${number}@s.whatsapp.net`',
      '/^\\d+@(?:lid|s\\.whatsapp\\.net)$/',
      "'status@broadcast'",
      'code === 463',
    ])
      assert.equal(uses(NETWORK_WORDS, HOMES, [{ path: 'src/chats/planted.ts', text }]).length, 1, text)
  })
})
