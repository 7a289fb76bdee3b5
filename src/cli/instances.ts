// `instances`: making, connecting, watching and removing them.
import { open } from 'node:fs/promises'
import type { z } from 'zod'
import type { Instance } from '../contract/instances.ts'
import type { FileContent } from '../contract/route.ts'
import { command, given, type Output, SERVER_OPTIONS, UsageError } from './command.ts'
import { record, table } from './print.ts'

type InstanceAnswer = z.output<typeof Instance>

const fieldsOf = (
  instance: Omit<InstanceAnswer, 'id' | 'status' | 'isConnected' | 'createdAt' | 'updatedAt'>,
) => ({
  'api name': instance.apiInstanceName,
  name: instance.displayName,
  state: instance.state,
  because: instance.stateReason,
  number: instance.number,
  profile: instance.profileName,
})

const one = (answer: { instance: InstanceAnswer }): Output => ({
  json: answer,
  text: record(fieldsOf(answer.instance)),
})

const NAME = 'API_NAME'

/** A login code or a face is for its owner: the file is readable by nobody else. */
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

const watching = [
  command({
    name: 'instances list',
    summary: 'List your instances',
    parameters: [],
    options: SERVER_OPTIONS,
    async run(context) {
      const answer = await (await context.account()).listInstances()
      const columns = ['api name', 'name', 'state', 'because', 'number', 'profile']
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

const changing = [
  command({
    name: 'instances create',
    summary: 'Make an instance and start pairing',
    parameters: ['NAME'],
    options: {
      ...SERVER_OPTIONS,
      integration: { type: 'string', value: 'KIND', help: 'Name of the integration kind in use' },
    },
    run: async (context, { integration }, [instanceName]) =>
      one(
        await (await context.account()).createInstance({ body: { instanceName, ...given({ integration }) } }),
      ),
  }),
  command({
    name: 'instances connect',
    summary: 'Start or restart pairing, by QR or by code',
    parameters: [NAME],
    options: {
      ...SERVER_OPTIONS,
      number: { type: 'string', value: 'NUMBER', help: 'Ask for a pairing code for this phone number' },
    },
    async run(context, { number }, [instanceName]) {
      const answer = await (await context.account()).connectInstance({
        query: { instanceName },
        body: given({ number }),
      })
      const { qr, pairingCode } = answer
      const next = {
        ...(pairingCode === null ? {} : { 'pairing code': pairingCode }),
        ...(qr === null ? {} : { 'qr code': qr.code, 'qr expires': qr.expiresAt }),
      }
      return { json: answer, text: record({ ...fieldsOf(answer.instance), ...next }) }
    },
  }),
  command({
    name: 'instances restart',
    summary: 'Drop and reopen the connection, keeping the login',
    parameters: [NAME],
    options: SERVER_OPTIONS,
    run: async (context, _values, [instanceName]) =>
      one(await (await context.account()).restartInstance({ query: { instanceName } })),
  }),
  command({
    name: 'instances logout',
    summary: 'Log out and destroy the session data',
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

export const instanceCommands = [...watching, ...changing]
