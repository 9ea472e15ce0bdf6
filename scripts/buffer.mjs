export { Buffer } from 'node:buffer'
