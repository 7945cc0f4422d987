// jest runs TypeScript with Node's own type stripping, which keeps lines and columns, so no source
// map is needed.
import { createHash } from 'node:crypto'
import { stripTypeScriptTypes } from 'node:module'

export default {
  process: (source) => ({ code: stripTypeScriptTypes(source) }),
  getCacheKey: (source) =>
    createHash('sha256').update(source).update(process.version).digest('hex'),
}
