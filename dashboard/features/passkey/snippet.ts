// A script for the console of the official page, for browsers without the extension. Short enough to be read before it is pasted.
import type { PasskeyRequest } from './handover.ts'

/** The comment and the button are in the reader's language. */
export interface SnippetTexts {
  comment: string
  button: string
}

export const snippetFor = (
  { options }: PasskeyRequest,
  { comment, button }: SnippetTexts,
): string => `// ${oneLine(comment)}
{
  const options = ${JSON.stringify(options)}
  const button = document.createElement('button')
  button.textContent = ${JSON.stringify(button)}
  button.style.cssText = 'position:fixed;top:20px;left:20px;z-index:99999;padding:20px;font:20px sans-serif;background:#ffd'
  button.onclick = async () => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
    const credential = await navigator.credentials.get({ publicKey })
    const result = document.createElement('textarea')
    result.style.cssText = button.style.cssText
    result.value = JSON.stringify(credential.toJSON())
    button.replaceWith(result)
    result.select()
  }
  document.body.append(button)
}
`

/** The name of an instance must not end the comment. */
const oneLine = (text: string): string => text.replaceAll(/[\r\n\u2028\u2029]+/g, ' ')
