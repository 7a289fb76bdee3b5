// Checks that the gateway can tell the clients behind its reverse proxy apart.
import type { Settings } from '../../../config.ts'
import { type Finding, warning } from './finding.ts'

/** `PUBLIC_URL` usually means that there is a reverse proxy. */
export const checkProxy = ({
  PUBLIC_URL,
  TRUST_PROXY,
}: Pick<Settings, 'PUBLIC_URL' | 'TRUST_PROXY'>): Finding[] =>
  PUBLIC_URL === undefined || TRUST_PROXY !== undefined
    ? []
    : [
        warning(
          'settings',
          'PUBLIC_URL is set, but TRUST_PROXY is not: all clients behind the proxy share one limit on wrong keys',
          'set TRUST_PROXY to the address of the proxy',
        ),
      ]
