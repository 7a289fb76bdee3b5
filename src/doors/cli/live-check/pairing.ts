// Creates the instance of the check and links it with the phone of the person, by QR code or pairing code.
import { ClientError } from '../../../contract/client.ts'
import type { Check } from './findings.ts'
import { choice, phoneNumber } from './interview.ts'
import { eventsNamed } from './seen-events.ts'
import { instanceOf, record, type Trial, until } from './trial.ts'

/** Long enough for six QR codes, which the network shows one after the other. */
const SCAN_MS = 4 * 60_000
/** The network gives the owner ten minutes for a passkey. */
const PASSKEY_MS = 12 * 60_000
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
  const waits = choice(
    'refresh',
    'Wait for the second QR code, to see that codes are renewed (one minute)?',
    ['yes', 'no'],
  )
  const codes = createCodeCount(trial, 'refresh of the QR code', (await interview.ask(waits)) === 'yes')
  interview.say(
    codes.isAwaited
      ? `\n${MENU}, and scan the SECOND code that appears.`
      : `\n${MENU}, and scan the newest code.`,
  )
  return untilLinked(trial, async () => {
    const reached = await outcomeOf(trial, RENEWED)
    if (reached) return reached
    const { qr } = await account.connectInstance({ query, body: {} }, { signal }).catch(orLinked)
    if (qr && codes.isNew(qr.code)) {
      interview.say(`Code ${codes.count()}:`)
      interview.say(
        await QRCode.toString(qr.code, { type: 'terminal', small: true, errorCorrectionLevel: 'L' }),
      )
    }
    return undefined
  })
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
  const codes = createCodeCount(trial, 'refresh of the pairing code', false)
  const show = (code: string | null) => {
    if (code !== null && codes.isNew(code))
      interview.say(`\n${MENU} > Link with phone number instead, and type: ${code}`)
  }
  show(answer.pairingCode)
  return untilLinked(trial, async () => {
    const reached = await outcomeOf(trial)
    // The network may replace a code, which is then only in the event.
    if (!reached) show((await eventsNamed(trial, 'qrcode.updated')).at(-1)?.data.pairingCode ?? null)
    return reached
  })
}

/** Notes once that the instance has shown another code. Awaited, and without one: a failure. */
function createCodeCount({ findings }: Trial, name: string, isAwaited: boolean) {
  const shown = new Set<string>()
  const startedAt = performance.now()
  const check: Check = { section: 'connection', name, outcome: 'failed', reason: 'no second code' }
  if (isAwaited) findings.checks.push(check)
  return {
    isAwaited,
    count: () => shown.size,
    isNew(code: string): boolean {
      if (shown.has(code)) return false
      shown.add(code)
      if (shown.size === 2) {
        if (!isAwaited) findings.checks.push(check)
        Object.assign(check, { outcome: 'ok', reason: undefined, durationMs: performance.now() - startedAt })
      }
      return true
    },
  }
}

/** Polls until the phone is linked or that has failed. If the network demands a passkey, the person has more time. */
async function untilLinked(trial: Trial, read: () => ReturnType<typeof outcomeOf>) {
  const passkey = createPasskeyGuide(trial)
  const guided = async () => {
    await passkey.guide()
    return read()
  }
  const linked = await until(trial, SCAN_MS, guided)
  if (!passkey.isDemanded()) return linked ?? TOO_LATE
  const result = linked ?? (await until(trial, PASSKEY_MS, guided)) ?? TOO_LATE
  trial.findings.checks.push({ ...result, section: 'connection', name: passkey.checkName() })
  return result
}

/** Tells the person once what each step of the passkey needs. */
function createPasskeyGuide(trial: Trial) {
  const { account, interview, signal } = trial
  const query = { instanceName: instanceOf(trial) }
  let shown: string | undefined
  let isCompared = false
  return {
    isDemanded: () => shown !== undefined,
    checkName: () => (isCompared ? 'passkey with comparison of the codes' : 'passkey'),
    async guide(): Promise<void> {
      const { passkey } = await account.instanceState({ query }, { signal })
      if (!passkey || passkey.step === shown) return
      shown = passkey.step
      if (passkey.step === 'assertion_needed') {
        const { link } = await account.createPasskeyLink({ query }, { signal })
        interview.say(
          `\nThe network demands the passkey of this account. Open this page and follow it:\n${link.url}`,
        )
      }
      if (passkey.step === 'confirmation_needed') {
        isCompared = true
        interview.say(
          `Compare the code on the phone with ${passkey.code}, and confirm or cancel on that page.`,
        )
      } else if (passkey.code !== null)
        interview.say(`If the phone shows a code, it must be: ${passkey.code}`)
    },
  }
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
