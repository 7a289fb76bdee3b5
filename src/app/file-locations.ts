// The locations for files of received messages and for uploaded files: the one that the settings select, and those that earlier
// settings may have used.
import { join } from 'node:path'
import { filesLocationOf, type ObjectLocation, type Settings } from '../config.ts'
import { createDiskStore } from '../files/disk-store.ts'
import type { FileStore } from '../files/file-store.ts'
import { ensureFilesFolder } from '../files/folder-queries.ts'
import { createObjectStore } from '../files/object-store.ts'
import { createRowStore } from '../files/row-store.ts'
import { createUploadRowStore } from '../files/upload-row-store.ts'
import { createObjectClient, type ObjectClient } from '../kernel/outbound/object-client.ts'
import type { Store } from '../store/store.ts'
import { proxiesIn, readCertificates } from './outbound.ts'

export type FileSettings = Pick<
  Settings,
  | 'DATA_DIR'
  | 'DATABASE_URL'
  | 'NODE_URL'
  | 'FILES_URL'
  | 'FILES_ACCESS_KEY'
  | 'FILES_SECRET_KEY'
  | 'EXTRA_CA_FILE'
  | 'HTTP_PROXY'
  | 'HTTPS_PROXY'
  | 'NO_PROXY'
>

export interface FileLocations {
  /** New files go to the first one. */
  locations: [FileStore, ...FileStore[]]
  uploadLocations: [FileStore, ...FileStore[]]
  close(): Promise<void>
}

export const receivedDirectory = ({ DATA_DIR }: Pick<Settings, 'DATA_DIR'>): string =>
  join(DATA_DIR, 'media', 'received')

const uploadDirectory = ({ DATA_DIR }: Pick<Settings, 'DATA_DIR'>): string =>
  join(DATA_DIR, 'media', 'sendable')

/** Uploads have their own folder and table, because their numbers are not those of instances. */
export async function openFileLocations(
  settings: FileSettings,
  store: Store,
  forSignatures: () => number,
): Promise<FileLocations> {
  const location = filesLocationOf(settings)
  const disks = [
    createDiskStore(receivedDirectory(settings)),
    createDiskStore(uploadDirectory(settings)),
  ] as const
  const rows = [createRowStore(store), createUploadRowStore(store)] as const
  const close = async () => undefined
  const locationsOf = (...stores: (readonly [FileStore, FileStore])[]) => ({
    locations: stores.map(([received]) => received) as FileLocations['locations'],
    uploadLocations: stores.map(([, uploaded]) => uploaded) as FileLocations['uploadLocations'],
  })
  const rowsIfAny = store.engine === 'postgres' ? [rows] : []
  if (location.kind === 'disk') return { ...locationsOf(disks, ...rowsIfAny), close }
  if (location.kind === 'postgres') return { ...locationsOf(rows, disks), close }
  const client = await openObjectClient(settings, location, forSignatures)
  const folder = location.prefix + (await ensureFilesFolder(store.db))
  const objects = [createObjectStore(client, folder), createObjectStore(client, `${folder}/uploads`)] as const
  return { ...locationsOf(objects, ...rowsIfAny, disks), close: client.close }
}

export const openObjectClient = async (
  settings: FileSettings,
  location: ObjectLocation,
  clock?: () => number,
): Promise<ObjectClient> =>
  createObjectClient({
    ...location,
    accessKey: settings.FILES_ACCESS_KEY ?? '',
    secretKey: settings.FILES_SECRET_KEY ?? '',
    extraCa: await readCertificates(settings.EXTRA_CA_FILE),
    proxies: proxiesIn(settings),
    clock,
  })
