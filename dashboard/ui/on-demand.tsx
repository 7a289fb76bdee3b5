// Parts of a page whose script is loaded when they are first shown.
import { type ComponentType, lazy, Suspense } from 'react'

export function onDemand<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const Part = lazy(async () => ({ default: (await load()) as ComponentType<object> }))
  return (props) => (
    <Suspense fallback={null}>
      <Part {...props} />
    </Suspense>
  )
}
