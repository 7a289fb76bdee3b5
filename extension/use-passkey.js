// Runs among the scripts of the official page, because password managers offer passkeys only there. It asks for the passkey when the
// panel says so, which it does after a click, and hands the result to the panel. The page itself could do the same at any time.
document.addEventListener('switchboard-passkey-use', async ({ detail }) => {
  const answer = (result) =>
    document.dispatchEvent(new CustomEvent('switchboard-passkey-result', { detail: JSON.stringify(result) }))
  try {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(detail))
    const credential = await navigator.credentials.get({ publicKey })
    answer({ assertion: JSON.stringify(credential.toJSON()) })
  } catch (error) {
    answer({ error: String(error) })
  }
})
