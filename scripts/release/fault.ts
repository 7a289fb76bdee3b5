// What a release lacks: the file, and what to do.
export interface Fault {
  file: string
  /** What is wrong, and what to do about it. */
  text: string
}

export const faultLine = ({ file, text }: Fault): string => `${file}: ${text}`
