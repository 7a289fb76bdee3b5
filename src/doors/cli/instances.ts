// `instances`: create, connect, monitor and delete instances.
import { open } from 'node:fs/promises'
import type { z } from 'zod'
import type { Instance } from '../../contract/instances.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import type { FileContent } from '../../contract/route.ts'
import { command, type Output, SERVER_OPTIONS } from './command.ts'
import { passkeyCommand } from './passkey.ts'
import { record, table } from './print.ts'
import { UsageError } from './usage-error.ts'

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
