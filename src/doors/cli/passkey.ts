// `instances passkey`: the passkey step of linking, for those who work without the dashboard.
import type { z } from 'zod'
import type { getPasskey } from '../../contract/passkey.ts'
import { command, type Output, SERVER_OPTIONS } from './command.ts'
import { record } from './print.ts'
import { UsageError } from './usage-error.ts'

type Demand = z.output<(typeof getPasskey)['answer']>['passkey']
type Shown = Pick<NonNullable<Demand>, 'step' | 'code' | 'expiresAt'> | null

const NEXT: Record<NonNullable<Shown>['step'], string> = {
  assertion_needed:
    'use the passkey on https://web.whatsapp.com: --link creates a page that leads through it',
  assertion_sent: 'wait; keep WhatsApp open on the phone',
  confirmation_needed:
    'compare the code with the phone; if both are the same: --confirm CODE, if they differ: --cancel',
  finishing: 'wait; the device is being linked',
}

const textOf = (passkey: Shown): string =>
  passkey === null
    ? 'The network demands no passkey now.'
    : record({
        step: passkey.step,
        code: passkey.code,
        expires: passkey.expiresAt,
        next: NEXT[passkey.step],
      })

const shown = (answer: { passkey: Shown }): Output => ({ json: answer, text: textOf(answer.passkey) })

export const passkeyCommand = command({
  name: 'instances passkey',
  summary:
    'Show the passkey step of linking, create a link to it, hand in an assertion, confirm the code, or cancel',
  description:
    'Some accounts must confirm a new device with their passkey. Without an option the step is shown; --json adds the challenge.',
  parameters: ['API_NAME'],
  options: {
    ...SERVER_OPTIONS,
    link: { type: 'boolean', help: 'Create a one-time link for the owner of the phone' },
    assertion: { type: 'string', value: 'FILE', help: 'Hand in the assertion in this JSON file; - reads it' },
    confirm: { type: 'string', value: 'CODE', help: 'Confirm that the phone shows this code' },
    cancel: { type: 'boolean', help: 'End the step without a linked device, as when the codes differ' },
  },
  async run(context, { link, assertion: file, confirm: code, cancel }, [instanceName]) {
    if ([link, file, code, cancel].filter((option) => option !== undefined).length > 1)
      throw new UsageError('use only one of --link, --assertion, --confirm and --cancel')
    const client = await context.account()
    const query = { instanceName }
    if (link) {
      const answer = await client.createPasskeyLink({ query })
      return { json: answer, text: record({ link: answer.link.url, expires: answer.link.expiresAt }) }
    }
    if (file !== undefined) {
      // The server checks the form.
      const assertion = (await context.readJson(file)) as never
      return shown(await client.answerPasskey({ query, body: { assertion } }))
    }
    if (cancel) {
      const answer = await client.cancelPasskey({ query })
      return { json: answer, text: 'Cancelled: no device was linked. instances connect starts again.' }
    }
    if (code !== undefined) return shown(await client.confirmPasskey({ query, body: { code } }))
    return shown(await client.getPasskey({ query }))
  },
})
