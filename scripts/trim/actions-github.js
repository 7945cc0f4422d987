// The package's own lib/github.js without getOctokit.
import * as Context from '../../node_modules/@actions/github/lib/context.js'

export const context = new Context.Context()
