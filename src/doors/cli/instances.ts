// `instances`: create, connect, monitor and delete instances.
import { open } from 'node:fs/promises'
import type { z } from 'zod'
import type { Instance } from '../../contract/instances.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import type { getPasskey } from '../../contract/passkey.ts'
import type { FileContent } from '../../contract/route.ts'
import { command, type Output, SERVER_OPTIONS } from './command.ts'
import { record, table } from './print.ts'
import { UsageError } from './usage-error.ts'

// `instances passkey`: the passkey step of linking, for those who work without the dashboard.

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

const passkeyCommand = command({
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

type InstanceAnswer = z.output<typeof Instance>

const fieldsOf = (
  instance: Omit<InstanceAnswer, 'id' | 'status' | 'isConnected' | 'createdAt' | 'updatedAt'>,
) => ({
  'api name': instance.apiInstanceName,
  name: instance.displayName,
  state: instance.state,
  reason: instance.stateReason,
  number: instance.number,
  profile: instance.profileName,
})

const one = (answer: { instance: InstanceAnswer }): Output => ({
  json: answer,
  text: record(fieldsOf(answer.instance)),
})

const NAME = 'API_NAME'

/** Login codes and pictures are private: only the owner of the file may read it. */
async function writeImage(file: string, { bytes, contentType }: FileContent): Promise<Output> {
  let handle: Awaited<ReturnType<typeof open>>
  try {
    handle = await open(file, 'w', 0o600)
  } catch (error) {
    throw new UsageError(`${file}: cannot be written (${(error as NodeJS.ErrnoException).code})`, error)
  }
  try {
    await handle.writeFile(bytes)
  } finally {
    await handle.close()
  }
  return { json: { file, contentType, bytes: bytes.length }, text: `Wrote ${file} (${contentType}).` }
}

const readCommands = [
  command({
    name: 'instances list',
    summary: 'List your instances',
    parameters: [],
    options: SERVER_OPTIONS,
    async run(context) {
      const answer = await (await context.account()).listInstances()
      const columns = ['api name', 'name', 'state', 'reason', 'number', 'profile']
      return {
        json: answer,
        text: table(
          columns,
          answer.instances.map((row) => Object.values(fieldsOf(row))),
        ),
      }
    },
  }),
  command({
    name: 'instances state',
    summary: 'Show the connection state of an instance',
    parameters: [NAME],
    options: SERVER_OPTIONS,
    async run(context, _values, [instanceName]) {
      const answer = await (await context.account()).instanceState({ query: { instanceName } })
      return { json: answer, text: record(fieldsOf(answer.instance)) }
    },
  }),
  command({
    name: 'instances qr',
    summary: 'Write the login QR code of an instance to a PNG file',
    parameters: [NAME, 'FILE'],
    options: SERVER_OPTIONS,
    run: async (context, _values, [instanceName, file]) =>
      writeImage(file, await (await context.account()).qrImage({ query: { instanceName } })),
  }),
  command({
    name: 'instances picture',
    summary: 'Write the profile picture of an instance to a file',
    parameters: [NAME, 'FILE'],
    options: SERVER_OPTIONS,
    run: async (context, _values, [instanceName, file]) =>
      writeImage(file, await (await context.account()).profilePicture({ query: { instanceName } })),
  }),
]

const changeCommands = [
  command({
    name: 'instances create',
    summary: 'Create an instance and start pairing',
    parameters: ['NAME'],
    options: {
      ...SERVER_OPTIONS,
      integration: { type: 'string', value: 'KIND', help: 'Name of the integration' },
    },
    run: async (context, { integration }, [instanceName]) =>
      one(
        await (await context.account()).createInstance({
          body: { instanceName, ...omitUndefined({ integration }) },
        }),
      ),
  }),
  command({
    name: 'instances connect',
    summary: 'Start or restart pairing, by QR code or pairing code',
    parameters: [NAME],
    options: {
      ...SERVER_OPTIONS,
      number: { type: 'string', value: 'NUMBER', help: 'Request a pairing code for this phone number' },
    },
    async run(context, { number }, [instanceName]) {
      const answer = await (await context.account()).connectInstance({
        query: { instanceName },
        body: omitUndefined({ number }),
      })
      const { qr, pairingCode, passkey } = answer
      const next = {
        ...(pairingCode === null ? {} : { 'pairing code': pairingCode }),
        ...(qr === null ? {} : { 'qr code': qr.code, 'qr expires': qr.expiresAt }),
        ...(passkey === null ? {} : { passkey: passkey.step, 'passkey expires': passkey.expiresAt }),
      }
      return { json: answer, text: record({ ...fieldsOf(answer.instance), ...next }) }
    },
  }),
  command({
    name: 'instances restart',
    summary: 'Reconnect without logging out',
    parameters: [NAME],
    options: SERVER_OPTIONS,
    run: async (context, _values, [instanceName]) =>
      one(await (await context.account()).restartInstance({ query: { instanceName } })),
  }),
  command({
    name: 'instances logout',
    summary: 'Log out and delete the session data',
    parameters: [NAME],
    options: SERVER_OPTIONS,
    async run(context, _values, [instanceName]) {
      const answer = await (await context.account()).logoutInstance({ query: { instanceName } })
      return { json: answer, text: answer.message }
    },
  }),
  command({
    name: 'instances delete',
    summary: 'Delete an instance that is logged out',
    parameters: [NAME],
    options: SERVER_OPTIONS,
    async run(context, _values, [instanceName]) {
      const answer = await (await context.account()).deleteInstance({ query: { instanceName } })
      return { json: answer, text: answer.message }
    },
  }),
]

export const instanceCommands = [...readCommands, ...changeCommands, passkeyCommand]
