// Creates the instance of the check and links it with the phone of the person, by QR code or pairing code.
import { ClientError } from '../../contract/client.ts'
import { choice, phoneNumber } from './interview.ts'
import { instanceOf, record, type Trial, until } from './trial.ts'

/** Long enough for six QR codes, which the network shows one after the other. */
const SCAN_MS = 4 * 60_000
const MENU = 'On the phone, open WhatsApp > Linked devices > Link a device'

export async function pair(trial: Trial): Promise<void> {
  const { account, findings, interview, signal } = trial
  const way = await interview.ask(
    choice('pair', 'How do you want to link the phone of the instance?', ['qr', 'code']),
  )
  const { instance } = await account.createInstance({ body: { instanceName: 'Live check' } }, { signal })
  trial.private.instanceName = instance.apiInstanceName
  findings.paired = way
  const check = await record(
    trial,
    'connection',
    `pairing by ${way === 'qr' ? 'QR code' : 'pairing code'}`,
    () => (way === 'qr' ? pairByQr(trial) : pairByCode(trial)),
  )
  interview.say(check.outcome === 'ok' ? 'Linked.' : `Not linked: ${check.reason}.`)
}

async function pairByQr(trial: Trial) {
  const { account, interview, signal } = trial
  const { default: QRCode } = await import('qrcode')
  const query = { instanceName: instanceOf(trial) }
  let shown: string | undefined
  interview.say(`\n${MENU}, and scan the newest code below.`)
  const isOpen = await until(trial, SCAN_MS, async () => {
    const reached = await outcomeOf(trial, RENEWED)
    if (reached) return reached
    const { qr } = await account.connectInstance({ query, body: {} }, { signal }).catch(orLinked)
    if (qr && qr.code !== shown) {
      shown = qr.code
      interview.say(
        await QRCode.toString(qr.code, { type: 'terminal', small: true, errorCorrectionLevel: 'L' }),
      )
    }
    return undefined
  })
  return isOpen ?? TOO_LATE
}

async function pairByCode(trial: Trial) {
  const { account, interview, signal } = trial
  const number = await interview.ask(
    phoneNumber('own', 'Number of the phone that you link, with country code. It is not part of the report.'),
  )
  const answer = await account.connectInstance(
    { query: { instanceName: instanceOf(trial) }, body: { number } },
    { signal },
  )
  interview.say(`\n${MENU} > Link with phone number instead, and type: ${answer.pairingCode}`)
  return (await until(trial, SCAN_MS, () => outcomeOf(trial))) ?? TOO_LATE
}

/** The phone may scan the code between two calls. */
function orLinked(error: unknown): { qr: null } {
  if (error instanceof ClientError && error.reason === 'instance_already_connected') return { qr: null }
  throw error
}

const TOO_LATE = { outcome: 'failed', reason: 'no scan in time' } as const

/** A QR code that has expired is replaced by the next one. */
const RENEWED: readonly (string | null)[] = ['qr_expired', 'network_lost']

/** Undefined while the phone is awaited. */
async function outcomeOf(trial: Trial, renewed: readonly (string | null)[] = []) {
  const { state, stateReason } = await readState(trial)
  if (state === 'open') return { outcome: 'ok' } as const
  const isOver = state === 'close' && !renewed.includes(stateReason)
  return isOver ? ({ outcome: 'failed', reason: `${state}/${stateReason}` } as const) : undefined
}

export async function readState(trial: Trial) {
  const query = { instanceName: instanceOf(trial) }
  return (await trial.account.instanceState({ query }, { signal: trial.signal })).instance
}

export async function chooseRecipient(trial: Trial): Promise<void> {
  const { account, interview, signal } = trial
  for (;;) {
    const number = await interview.ask(
      phoneNumber(
        'number',
        'Number that gets the messages, with country code. It is not part of the report.',
      ),
    )
    const query = { instanceName: instanceOf(trial), number }
    const { data } = await account.checkNumber({ query }, { signal })
    trial.private.recipient = number
    if (data.exists) return
    const next = choice('unknown-number', 'The network does not know this number.', ['again', 'use'])
    if ((await interview.ask(next)) === 'use') return
  }
}
