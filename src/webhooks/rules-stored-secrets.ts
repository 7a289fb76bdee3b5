// Secrets that are stored with a URL go to the origin that they were given for, and to no other one (decision 0191). Pure.

/** What answers show in place of a secret. In a request it stands for the stored one. */
export const MASK = '***'

/** For the field that a request has to contain. */
export const GIVE_AGAIN = 'must be given again, because the URL has another origin'

/**
 * Whether scheme, host and port are the same. `URL.origin` is "null" for all schemes of brokers, and hosts of these schemes keep
 * their upper case. A default port that is written in one URL only makes another origin: the secret has to be given again then.
 */
export function isSameOrigin(one: string, other: string): boolean {
  const [before, after] = [originOf(one), originOf(other)]
  return before !== undefined && before === after
}

function originOf(text: string): string | undefined {
  const url = URL.parse(text)
  return url && url.host !== '' ? `${url.protocol}//${url.host.toLowerCase()}` : undefined
}
