// The version of the API, and the name of the product.
export const API_VERSION = '1.0.0'
export const PRODUCT = 'Switchboard'
