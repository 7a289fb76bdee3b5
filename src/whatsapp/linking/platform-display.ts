// How this client calls itself when it asks for a pairing code. The network refuses a request whose system is not a real one.

const BROWSER = 'Chrome'
const ACCEPTED_SYSTEMS: readonly string[] = [
  'Mac OS',
  'Windows',
  'Linux',
  'Android',
  'iOS',
  'Ubuntu',
  'Fedora',
]

/** The name of the device appears in the list of linked devices in any case; this one only in the question on the phone. */
export function platformDisplay(deviceName: string | null | undefined): string {
  const system = ACCEPTED_SYSTEMS.find((name) => name === deviceName) ?? ACCEPTED_SYSTEMS[0]
  return `${BROWSER} (${system})`
}
