// The versions of the API and of the program, and the name of the product.
export const API_VERSION = '1.0.0'
export const PRODUCT = 'Switchboard'
/** That of package.json; `npm run release:check` and a test compare them. A constant, so that no start reads a file for it. */
export const PRODUCT_VERSION = '0.1.0'
