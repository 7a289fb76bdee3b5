// What the build makes for the page: method, path and kind of answer of every route (scripts/dashboard.ts).
declare module 'virtual:route-table' {
  export const routeTable: Record<string, [method: string, path: string, isFile: boolean]>
}

/** Style sheets that a page brings along; the build writes them to files of their own. */
declare module '*.css' {}
