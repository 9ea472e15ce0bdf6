export const versions = { node: '0.0.0' }
export const pid = 0
export const env = {}
export const platform = 'browser'
