export * as posix from 'pathe'
export { basename, dirname, extname, isAbsolute, join, normalize, relative, resolve, sep } from 'pathe'
