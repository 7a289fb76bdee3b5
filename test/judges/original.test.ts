// The network library as it is published, with its own Signal package, in a process of its own. It cannot vote, and neither writes nor
// reads encrypted edits.
import { until } from '../support/linked.ts'
import type { Command, Report } from './original-client.ts'
import { type OriginalClient, startOriginal } from './original-process.ts'
import { type Partner, testPartner } from './partner.ts'

let client: OriginalClient | undefined
const opened = (): OriginalClient => {
  if (!client) throw new Error('not linked')
  return client
}

const commandForText = async (given: Command): Promise<string> => (await opened().command(given)) ?? ''
const untilReported = (what: string, fits: (report: Report) => boolean): Promise<Report> =>
  until(`${what} at the partner`, async () => opened().reports.find(fits))

const partner: Partner = {
  async link(network, scan) {
    client = startOriginal(scan)
    await client.command({ do: 'pair', network })
  },
  sendText: (to, text) => commandForText({ do: 'send', to, text }),
  sendPoll: (to, poll) => commandForText({ do: 'poll', to, poll }),
  sendFile: (to, { bytes, ...file }) =>
    commandForText({ do: 'file', to, file, base64: bytes.toString('base64') }),
  async untilPoll(name) {
    const fits = (report: Report) => report.kind === 'poll' && report.poll.name === name
    const found = await untilReported('the poll', fits)
    return (found as Report & { kind: 'poll' }).poll
  },
  async untilVote(pollId, options) {
    await untilReported('the vote', (report) => report.kind === 'vote' && report.pollId === pollId)
    return JSON.parse(await commandForText({ do: 'read-vote', pollId, options })) as string[]
  },
  edit: (to, messageId, text) => opened().command({ do: 'edit', to, messageId, text }),
  untilEdited: (id, text) =>
    untilReported(
      'the edit',
      (report) => report.kind === 'edit' && report.messageId === id && report.text === text,
    ),
  async untilFile(messageId) {
    await untilReported('the file', (report) => report.kind === 'file' && report.messageId === messageId)
    return Buffer.from(await commandForText({ do: 'download', messageId }), 'base64')
  },
  texts: () => opened().received,
  untilText: (text) =>
    until(`"${text}" at the partner`, async () => opened().received.includes(text) || undefined),
  disconnect: async () => void (await opened().command({ do: 'close' })),
  resume: async () => void (await opened().command({ do: 'login' })),
  loseSessions: async () => void (await opened().command({ do: 'lose-sessions' })),
  async end() {
    client?.end()
  },
  errors: () => [],
}

testPartner('the published library as the partner of a gateway', partner)
