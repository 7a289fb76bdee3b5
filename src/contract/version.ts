// The version that callers see: of the API in paths and document, and of the product in answers about itself.
export const API_VERSION = '1.0.0'
export const PRODUCT = 'Switchboard'
