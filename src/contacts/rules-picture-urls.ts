// The URLs of profile pictures. `v` changes with the picture, so that browsers load the new one.
import { fullPath, type Route } from '../contract/route.ts'
import { routes } from '../contract/routes.ts'

type Version = number | null | undefined

const urlOf = (
  origin: string,
  route: Pick<Route, 'area' | 'path'>,
  query: Record<string, string>,
  version: Version,
) =>
  version === null || version === undefined
    ? null
    : `${origin}${fullPath(route)}?${new URLSearchParams({ ...query, v: version.toString(36) }).toString()}`

/** Null if no picture is known. */
export const ownPictureUrl = (origin: string, instanceName: string, version: Version): string | null =>
  urlOf(origin, routes.profilePicture, { instanceName }, version)

/** Of a person or a group. */
export const chatPictureUrl = (
  origin: string,
  instanceName: string,
  chat: string,
  version: Version,
): string | null => urlOf(origin, routes.chatPicture, { instanceName, chat }, version)
