// `rotate-master-key`: encrypts the data keys with a new master key.
import type { Settings } from '../../config.ts'
import { masterKeyLocation } from '../../data-dir/secrets.ts'
import { command } from './command.ts'
import { UsageError } from './usage-error.ts'

const IN_USE =
  'A server uses this database. Stop every node first: a running one knows only the previous key.'

function nextStep(settings: Settings): string {
  const location = masterKeyLocation(settings)
  if (settings.MASTER_KEY === undefined)
    return (
      `The new key is in ${location}, the previous one in ${location}.old. Backups from before need the previous one:\n` +
      'move it to where you keep the key of your backups.'
    )
  const todo =
    settings.MASTER_KEY_FILE === undefined
      ? `Set ${location} to the new key`
      : `Write the new key to ${location}`
  return `${todo} on every node before you start them. Backups from before need the previous one.`
}

export const rotateMasterKey = command({
  name: 'rotate-master-key',
  summary: 'Encrypt the data keys with a new master key',
  description:
    'Stop the server first, and every node of a cluster. If the command is interrupted, run it again: the data opens with the previous\n' +
    'key or with the new one, and the command completes what is left. Without --new-key-file a key is generated.',
  parameters: [],
  options: { 'new-key-file': { type: 'string', help: 'A file with the new key, 32 bytes in base64' } },
  async run(context, { 'new-key-file': file }) {
    const settings = context.settings()
    const { createMaintenance, rotateStoredMasterKey } = await import('../../app/maintenance.ts')
    const maintenance = createMaintenance(settings, context.environment)
    if ((await maintenance.nodes()).length > 0) throw new UsageError(IN_USE)
    const rotation = await rotateStoredMasterKey(settings, file)
    const text = {
      rotated: 'The master key was rotated.',
      rotated_before: 'The data already has the new master key.',
      no_data: 'Nothing was encrypted yet. The new key is used from the next start.',
    }[rotation.outcome]
    return { json: { ...rotation }, text: `${text}\n${nextStep(settings)}` }
  },
})
