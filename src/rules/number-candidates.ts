// The forms in which a phone number may be registered: some countries have an old and a new form of the same number.

/** Brazil's ninth digit, the extra digit of Mexico and Argentina. Only the network knows which form is registered. */
export function numberCandidates(number: string): string[] {
  const forms = [number]
  const brazil = /^55(\d{2})(9?)(\d{8})$/.exec(number)
  if (brazil) forms.push(brazil[2] ? `55${brazil[1]}${brazil[3]}` : `55${brazil[1]}9${brazil[3]}`)
  const mexico = /^52(1?)(\d{10})$/.exec(number)
  if (mexico) forms.push(mexico[1] ? `52${mexico[2]}` : `521${mexico[2]}`)
  const argentina = /^54(9?)(\d{10})$/.exec(number)
  if (argentina) forms.push(argentina[1] ? `54${argentina[2]}` : `549${argentina[2]}`)
  return forms
}
