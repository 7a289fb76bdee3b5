// Sizes of files in the reader's language.
import { useFormat } from '../../../ui/language.tsx'

export function useSize(): (bytes: number | null | undefined) => string | null {
  const format = useFormat()
  return (bytes) => {
    if (bytes === null || bytes === undefined) return null
    if (bytes < 1024) return `${format.number(bytes)} B`
    if (bytes < 1_048_576) return `${format.number(Math.round(bytes / 1024))} kB`
    return `${format.number(Math.round(bytes / 104_857.6) / 10)} MB`
  }
}
