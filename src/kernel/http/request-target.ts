// The target of a request line. Proxies may send it in absolute form, which every server must accept (RFC 9112, 3.2.2).

const SCHEME_AND_AUTHORITY = /^https?:\/\/[^/?#]*/i

/** Path and query of a target in either form. The authority is ignored: the gateway answers for every host name. */
export function originForm(target: string): string {
  if (target.startsWith('/')) return target
  const rest = target.replace(SCHEME_AND_AUTHORITY, '')
  return rest === target || rest.startsWith('/') ? rest : `/${rest}`
}

export const pathOf = (target: string): string => originForm(target).split('?', 1)[0] ?? ''
