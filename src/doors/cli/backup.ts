// `backup`: writes a consistent copy of the database while the server runs.
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { command } from './command.ts'
import { examineMasterKey, type MasterKeyState } from './master-key.ts'
import { formatBytes } from './print.ts'

const store = (location: string) => `Store a copy of ${location} in a separate, private place.`
const storeOther = (fault: string) =>
  `${fault}. The server has another one (MASTER_KEY, MASTER_KEY_FILE): store a copy of that key in a separate, private place.`

/** Names a key only if it decrypts the data, or if this user cannot read it. */
const WHAT_TO_STORE: Record<MasterKeyState['state'], (location: string) => string> = {
  fits: store,
  unused: store,
  other: (location) => storeOther(`The key in ${location} does NOT decrypt this data`),
  missing: (location) => storeOther(`These settings lead to no key: ${location} does not exist`),
  invalid: (location) =>
    storeOther(`These settings lead to no key: ${location} does not hold 32 bytes in base64`),
  unreadable: store,
}

export const backup = command({
  name: 'backup',
  summary: 'Write a consistent copy of the database to a new file, while the server runs',
  description:
    'The backup does not contain the master key (MASTER_KEY, MASTER_KEY_FILE, or DATA_DIR/master-key). Store it separately from the\n' +
    'backups: session credentials and webhook secrets cannot be decrypted without it.',
  parameters: ['FILE'],
  options: {},
  async run(context, _values, [target]) {
    const settings = context.settings()
    const { createMaintenance } = await import('../../app/maintenance.ts')
    const maintenance = createMaintenance(settings, context.environment)
    const file = resolve(target)
    await maintenance.backup(file)
    const { size } = await stat(file)
    const { location, state } = await examineMasterKey(settings, maintenance)
    return {
      json: {
        file,
        engine: maintenance.engine,
        bytes: size,
        masterKeyIncluded: false,
        masterKey: location,
        masterKeyState: state,
      },
      text:
        `Wrote ${file} (${formatBytes(size)}).\n` +
        `The backup does not contain the master key. ${WHAT_TO_STORE[state](location)}\n` +
        'Session credentials and webhook secrets in the backup cannot be decrypted without it.',
    }
  },
})
