export const hostname = () => 'localhost'
export const availableParallelism = () => 1
export const tmpdir = () => '/tmp'
