import type { Calibrator } from '../calibrator.js'
import { witnessed } from './legal-value.js'
import { writeSample } from './write-sample.js'

const lacking = 'nothing was written: writes are not allowed, or were refused'

export const createStatus: Calibrator = witnessed('createStatus', lacking, async session => {
  const sample = await writeSample(session)
  return sample === undefined ? [] : [witness('POST', sample.site.path, sample.created)]
})

export const updateStatus: Calibrator = witnessed('updateStatus', lacking, async session => {
  const sample = await writeSample(session)
  return sample?.changed === undefined ? [] : [witness('PATCH', `an item of ${sample.site.path}`, sample.changed)]
})

export const deleteStatus: Calibrator = witnessed('deleteStatus', lacking, async session => {
  const sample = await writeSample(session)
  return sample?.deleted === undefined ? [] : [witness('DELETE', `an item of ${sample.site.path}`, sample.deleted)]
})

function witness(method: string, what: string, status: number): { shown: number; text: string } {
  return { shown: status, text: `${method} ${what} answered ${status}` }
}
