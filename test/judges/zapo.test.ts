// zapo-js: a client with its own protocol and cryptography. It hands an edit to its caller as any other
// message.
import assert from 'node:assert/strict'
import { testPartner } from './partner.ts'
import { ZapoClient } from './zapo-client.ts'
import { zapoContents } from './zapo-contents.ts'

const client = new ZapoClient()
const textOf = ({ message }: ZapoClient['messages'][number]): string | undefined =>
  message?.conversation ?? message?.extendedTextMessage?.text ?? undefined

testPartner('zapo-js as the partner of a gateway', {
  ...zapoContents(client),
  async link(network, scan) {
    await scan((await client.open(network)) ?? '')
    await client.untilLinked()
  },
  texts: () => client.messages.map(textOf),
  untilText: (text) =>
    client.until(`"${text}" at the partner`, () => client.messages.find((each) => textOf(each) === text)),
  disconnect: () => client.close(),
  async resume() {
    assert.equal(await client.open(), undefined, 'the login is still valid')
  },
  loseSessions: () => client.loseSessions(),
  end: () => client.close(),
  errors: () => client.errors,
})
