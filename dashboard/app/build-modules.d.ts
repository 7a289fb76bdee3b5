// Modules that exist only in the build.

/** Method, path and kind of answer of every route, and for calls with a key of an account what it needs (scripts/dashboard.ts). */
declare module 'virtual:route-table' {
  export const routeTable: Record<
    string,
    [method: string, path: string, isFile: boolean, needs?: { scopes?: readonly string[]; wall?: string }]
  >
}

/** The class names of a style sheet, made unique by the build. `test/dashboard-styles.test.ts` checks that each one exists. */
declare module '*.module.css' {
  const classes: Readonly<Record<string, string>>
  export default classes
}
