// The places for files of received messages and for uploaded files: the one that the settings select, and those that earlier
// settings may have used.
import { join } from 'node:path'
import { filesPlaceOf, type ObjectPlace, type Settings } from '../config.ts'
import { createDiskStore } from '../files/disk-store.ts'
import type { FileStore } from '../files/file-store.ts'
import { createObjectStore } from '../files/object-store.ts'
import { createRowStore } from '../files/row-store.ts'
import { createUploadRowStore } from '../files/upload-row-store.ts'
import { createObjectClient, type ObjectClient } from '../outbound/object-client.ts'
import { ensureFilesFolder } from '../store/queries/files-folder.ts'
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

export interface FilePlaces {
  /** New files go to the first one. */
  places: [FileStore, ...FileStore[]]
  uploadPlaces: [FileStore, ...FileStore[]]
  close(): Promise<void>
}

export const receivedDirectory = ({ DATA_DIR }: Pick<Settings, 'DATA_DIR'>): string =>
  join(DATA_DIR, 'media', 'received')

const uploadDirectory = ({ DATA_DIR }: Pick<Settings, 'DATA_DIR'>): string =>
  join(DATA_DIR, 'media', 'sendable')

/** Uploads have their own folder and table, because their numbers are not those of instances. */
export async function openFilePlaces(
  settings: FileSettings,
  store: Store,
  forSignatures: () => number,
): Promise<FilePlaces> {
  const place = filesPlaceOf(settings)
  const disks = [
    createDiskStore(receivedDirectory(settings)),
    createDiskStore(uploadDirectory(settings)),
  ] as const
  const rows = [createRowStore(store), createUploadRowStore(store)] as const
  const close = async () => undefined
  const placesOf = (...stores: (readonly [FileStore, FileStore])[]) => ({
    places: stores.map(([received]) => received) as FilePlaces['places'],
    uploadPlaces: stores.map(([, uploaded]) => uploaded) as FilePlaces['uploadPlaces'],
  })
  const rowsIfAny = store.engine === 'postgres' ? [rows] : []
  if (place.kind === 'disk') return { ...placesOf(disks, ...rowsIfAny), close }
  if (place.kind === 'postgres') return { ...placesOf(rows, disks), close }
  const client = await openObjectClient(settings, place, forSignatures)
  const folder = place.prefix + (await ensureFilesFolder(store.db))
  const objects = [createObjectStore(client, folder), createObjectStore(client, `${folder}/uploads`)] as const
  return { ...placesOf(objects, ...rowsIfAny, disks), close: client.close }
}

export const openObjectClient = async (
  settings: FileSettings,
  place: ObjectPlace,
  clock?: () => number,
): Promise<ObjectClient> =>
  createObjectClient({
    ...place,
    accessKey: settings.FILES_ACCESS_KEY ?? '',
    secretKey: settings.FILES_SECRET_KEY ?? '',
    extraCa: await readCertificates(settings.EXTRA_CA_FILE),
    proxies: proxiesIn(settings),
    clock,
  })
