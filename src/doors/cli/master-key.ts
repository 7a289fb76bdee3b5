// What the commands know about the master key: where the settings put it, and whether it decrypts the data.
import { SettingsError } from '../../config.ts'
import { type MasterKeySettings, masterKeyLocation, readMasterKey } from '../../data-dir/secrets.ts'

export interface MasterKeyState {
  /** Path of the file, or `MASTER_KEY`. */
  location: string
  /** `unused`: there is no encrypted data yet. */
  state: 'fits' | 'unused' | 'other' | 'missing' | 'invalid' | 'unreadable'
}

export async function examineMasterKey(
  settings: MasterKeySettings,
  maintenance: { opensWith(key: Uint8Array): Promise<boolean | undefined> },
): Promise<MasterKeyState> {
  const location = masterKeyLocation(settings)
  try {
    const key = await readMasterKey(settings)
    if (key === undefined) return { location, state: 'missing' }
    const opens = await maintenance.opensWith(key)
    return { location, state: opens === undefined ? 'unused' : opens ? 'fits' : 'other' }
  } catch (error) {
    if (error instanceof SettingsError) return { location, state: 'invalid' }
    // The file exists, and this user may not read it.
    if ((error as NodeJS.ErrnoException).syscall === 'open') return { location, state: 'unreadable' }
    throw error
  }
}
