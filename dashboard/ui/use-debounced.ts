// A value that follows another one when it has rested, such as the text of a search.
import { useEffect, useState } from 'react'

export function useDebounced<V>(value: V, ms: number): V {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return rested
}
