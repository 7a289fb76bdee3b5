// What the build makes for the page: method, path and kind of answer of every route (scripts/dashboard.ts).
declare module 'virtual:route-table' {
  import type { RouteId } from '../src/contract/routes.ts'
  export const routeTable: Record<RouteId, [method: string, path: string, isFile: boolean]>
}
